import StoreBasics
import Testing

@testable import StoreServer

@Suite struct AccessPolicyTests {
    private static let ownUser: UInt32 = 500
    private static let trustedGroup: UInt32 = 600

    private let policy: AccessPolicy

    init() throws {
        let accounts = AccountDirectory(user: { _ in nil }, group: { _ in nil })
        let rules = [
            "user:1000 messages:read,conversations:write", "user:1001 administration", "group:700 contacts:readwrite",
            "user:1002 scenes:read:notes.*", "user:1000 contacts:read",
        ]
        policy = AccessPolicy(
            rules: try rules.map { try AccessRule(parsing: $0, accounts: accounts) }, ownUser: Self.ownUser,
            trustedGroup: Self.trustedGroup)
    }

    private func allows(_ caller: Caller, _ requirement: AccessRequirement, name: String? = nil) -> Bool {
        policy.grants(for: caller).allows(requirement, name: name)
    }

    private static let root = Caller(uid: 0, gid: 0, pid: 1)
    private static let own = Caller(uid: ownUser, gid: 1, pid: 1)
    private static let member = Caller(uid: 900, gid: trustedGroup, pid: 1)
    private static let supplementaryMember = Caller(uid: 900, gid: 900, groups: [5, trustedGroup], pid: 1)
    private static let stranger = Caller(uid: 901, gid: 901, groups: [901], pid: 1)
    private static let reader = Caller(uid: 1_000, gid: 1_000, pid: 1)
    private static let administrator = Caller(uid: 1_001, gid: 1_001, pid: 1)
    private static let contactsGroup = Caller(uid: 902, gid: 902, groups: [700], pid: 1)
    private static let notes = Caller(uid: 1_002, gid: 1_002, pid: 1)

    @Test(arguments: Area.allCases)
    func `root, the daemon's user and members of the group may use every area, others none`(area: Area) {
        for caller in [Self.root, Self.own, Self.member, Self.supplementaryMember] {
            #expect(allows(caller, .read(area)))
            #expect(allows(caller, .write(area)) == area.isInStore)
        }
        #expect(!allows(Self.stranger, .read(area)))
        #expect(!allows(Self.stranger, .write(area)))
    }

    @Test(arguments: [
        (root, true), (own, true), (administrator, true), (member, false), (supplementaryMember, false),
        (stranger, false), (reader, false),
    ])
    func `administration needs a right of its own`(caller: Caller, isAllowed: Bool) {
        #expect(allows(caller, .administration) == isAllowed)
    }

    @Test func `a call that needs no right is allowed for every connected user`() {
        #expect(allows(Self.stranger, .none))
    }

    @Test func `a rule grants only the rights that it names, and several rules add up`() {
        #expect(allows(Self.reader, .read(.messages)))
        #expect(!allows(Self.reader, .write(.messages)))
        #expect(allows(Self.reader, .write(.conversations)))
        #expect(!allows(Self.reader, .read(.conversations)))
        #expect(allows(Self.reader, .read(.contacts)))
        #expect(!allows(Self.reader, .read(.changes)))
        #expect(!allows(Self.administrator, .read(.messages)))
        #expect(allows(Self.contactsGroup, .write(.contacts)))
        #expect(!allows(Self.contactsGroup, .read(.messages)))
    }

    @Test func `a pattern grants matching names and never the whole area`() {
        #expect(allows(Self.notes, .read(.scenes), name: "notes.today"))
        #expect(!allows(Self.notes, .read(.scenes), name: "secrets"))
        #expect(!allows(Self.notes, .read(.scenes)))
        #expect(!allows(Self.notes, .write(.scenes), name: "notes.today"))
        #expect(allows(Self.member, .read(.scenes)))
    }

    @Test func `without a trusted group no user is trusted`() {
        let policy = AccessPolicy(rules: [], ownUser: Self.ownUser, trustedGroup: nil)
        #expect(policy.grants(for: Self.member) == .none)
    }

    @Test func `a pattern does not restrict a grant of the whole area`() {
        let grants = Grants(rights: [.read(.logs, nil), .read(.logs, NamePattern("a"))])
        #expect(grants.allows(.read(.logs)))
        #expect(grants.allows(.read(.logs), name: "b"))
    }
}
