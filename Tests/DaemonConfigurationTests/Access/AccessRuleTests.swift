import StoreBasics
import Testing

@testable import StoreServer

@Suite struct AccessRuleTests {
    private let accounts = AccountDirectory(
        user: { ["alice": 1_000][$0] }, group: { ["backup": 34][$0] })

    private func parse(_ text: String) throws(ServerError) -> AccessRule {
        try AccessRule(parsing: text, accounts: accounts)
    }

    @Test func `users, groups, numbers and every kind of right are read`() throws {
        #expect(
            try parse("user:alice messages:read,conversations:write")
                == AccessRule(subject: .user(1_000), rights: [.read(.messages, nil), .write(.conversations, nil)]))
        #expect(try parse("group:backup administration") == AccessRule(subject: .group(34), rights: [.administration]))
        #expect(
            try parse("user:42 scenes:readwrite:notes.*")
                == AccessRule(
                    subject: .user(42),
                    rights: [.read(.scenes, NamePattern("notes.*")), .write(.scenes, NamePattern("notes.*"))]))
        #expect(try parse("group:7 *:read").rights == Area.allCases.map { .read($0, nil) })
        #expect(try parse("group:7 *:write").rights == Area.inStore.map { .write($0, nil) })
        #expect(try parse("group:7 metrics:read").rights == [.read(.metrics, nil)])
    }

    @Test(arguments: [
        ("", "expected a subject"),
        ("user:alice", "expected a subject"),
        ("user:alice messages:read, contacts:read", "expected a subject"),
        ("alice messages:read", "user:NAME or group:NAME"),
        ("role:alice messages:read", "user:NAME or group:NAME"),
        ("user: messages:read", "user:NAME or group:NAME"),
        ("user:bob messages:read", "there is no user 'bob'"),
        ("group:alice messages:read", "there is no group 'alice'"),
        ("user:4294967295 messages:read", "there is no user '4294967295'"),
        ("user:alice letters:read", "there is no area 'letters'"),
        ("user:alice messages:own", "the access 'own'"),
        ("user:alice messages", "must be administration, replication or AREA:ACCESS"),
        ("user:alice ,", "must be administration, replication or"),
        ("user:alice metrics:write", "'metrics' can only be read"),
        ("user:alice metrics:readwrite", "'metrics' can only be read"),
        ("user:alice messages:read:x*", "have no names"),
        ("user:alice *:read:x*", "have no names"),
        ("user:alice scenes:read:", "must have 1 to 256 bytes"),
        ("user:alice scenes:read:a b", "expected a subject"),
        ("user:alice scenes:read:[ab]", "must have 1 to 256 bytes"),
    ])
    func `malformed rules are rejected with the cause`(text: String, problem: String) {
        let error = #expect(throws: ServerError.self) { try parse(text) }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    @Test func `accounts of the system are found`() {
        #expect(AccountDirectory.system.user("root") == 0)
        #expect(AccountDirectory.system.group("root") == 0)
        #expect(AccountDirectory.system.user("no-such-user-here") == nil)
        #expect(AccountDirectory.system.group("no-such-group-here") == nil)
    }

    @Test(arguments: [
        ("*", "", true), ("*", "anything", true), ("a*", "abc", true), ("a*", "bac", false), ("*c", "abc", true),
        ("a*c", "abbbc", true), ("a*c", "abbbd", false), ("a*b*c", "axbxc", true), ("a*b*c", "axcxb", false),
        ("notes.*", "notes.today", true), ("notes.*", "notes", false), ("a", "a", true), ("a", "aa", false),
        ("**", "x", true), ("a*a", "a", false),
    ])
    func `patterns match whole names`(pattern: String, name: String, matches: Bool) throws {
        #expect(try #require(NamePattern(pattern)).matches(name) == matches)
    }
}
