import StoreEngine
import StoreProtocol

/// Which calls one connection may use: its grants, resolved once so that a request costs one bit test.
struct CallPermissions: Hashable, Sendable {
    /// One bit for each field number of a call that may be used whatever it is about.
    private var everywhere = CallSet()
    /// Calls that may be used on entries with certain names.
    private var somewhere = CallSet()
    private let grants: Grants
    /// The areas that the answers to all calls may contain.
    let everyAnswerScope: AnswerScope

    init(_ grants: Grants) {
        self.grants = grants
        everyAnswerScope = AnswerScope(grants)
        for kind in CallKind.allCases {
            let rule = kind.rule
            if grants.allows(rule.requirement) {
                everywhere.insert(kind)
            } else if rule.namesEntry, grants.allowsSome(rule.requirement) {
                somewhere.insert(kind)
            }
        }
    }

    /// True for a caller without any right, whom nothing is told of the store.
    var isStranger: Bool {
        grants.isEmpty
    }

    /// True when the call may be used, if only on some names.
    func allows(_ kind: CallKind) -> Bool {
        everywhere.contains(kind) || somewhere.contains(kind)
    }

    /// True when nothing depends on what the call is about.
    func allowsEverywhere(_ kind: CallKind) -> Bool {
        everywhere.contains(kind)
    }

    /// Returns true if the call may be used on the entry with this name.
    func allows(_ kind: CallKind, name: String) -> Bool {
        everywhere.contains(kind) || grants.allows(kind.rule.requirement, name: name)
    }
}

/// A set of calls, one bit each.
private struct CallSet: Hashable, Sendable {
    private var words = SIMD8<UInt64>.zero

    func contains(_ kind: CallKind) -> Bool {
        words[Int(kind.rawValue / 64)] & Self.bit(kind) != 0
    }

    /// Field numbers of calls are below 512: a greater one traps here, when the first connection is made.
    mutating func insert(_ kind: CallKind) {
        words[Int(kind.rawValue / 64)] |= Self.bit(kind)
    }

    private static func bit(_ kind: CallKind) -> UInt64 {
        1 << UInt64(kind.rawValue % 64)
    }
}

extension CallKind {
    private static let administrative = allCases.reduce(into: CallSet()) { set, kind in
        switch kind.rule.requirement {
        case .administration, .archive, .restoreArchive, .wholeStore: set.insert(kind)
        case .none, .replication, .read, .write, .exportBlobs, .importBlobs, .continueExport, .continueImport,
            .continueFileWrite, .copyFiles, .moveFiles:
            break
        }
    }

    /// True for calls on the store as a whole, which only its administrators may use.
    var isAdministration: Bool {
        Self.administrative.contains(self)
    }
}

/// Rights that hold for certain names: checked when the command says what it is about.
extension CallPermissions {
    /// The command as the caller may have it. A caller whose rights do not cover the global tier of scenes has requests
    /// about a scene limited to the scene itself: it neither sees nor changes what all scenes share.
    ///
    /// - Throws: `StoreError` with reason `.permissionDenied`.
    func limited(_ command: Command, _ kind: CallKind, uid: UInt32) throws(StoreError) -> Command {
        guard !allowsEverywhere(kind) else { return command }
        let rights = command.entryRights(kind.rule.requirement)
        guard !rights.isEmpty, rights.allSatisfy({ grants.allows($0.requirement, name: $0.name) }) else {
            // What all scenes share has no name, and what is named by its id none that a rule could have.
            let hasName = rights.contains { $0.name != SceneTiers.globalScene }
            throw .permissionDenied(kind, isLimited: hasName, hasName ? " on this name" : " on this entry", uid: uid)
        }
        return allows(kind, name: SceneTiers.globalScene) ? command : command.withoutGlobalTier
    }

    /// What the answer to a command may hold. The right to read logs may be one to some logs only.
    func answerScope(_ command: Command, _ kind: CallKind) -> AnswerScope {
        guard !everyAnswerScope.contains(.log) else { return everyAnswerScope }
        let requirement = kind.rule.requirement
        guard requirement == .read(.logs) || requirement == .write(.logs), let log = command.entryName,
            grants.allows(.read(.logs), name: log)
        else { return everyAnswerScope }
        return everyAnswerScope.union(.log)
    }
}

/// The caller of a report on the daemon.
struct Asker: Hashable, Sendable {
    let uid: UInt32
    let scope: AnswerScope
}

/// Of which areas an answer may hold anything. A call takes one right, but its answer may lie in further areas, and a
/// right to write lets nobody read.
struct AnswerScope: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let conversations = AnswerScope(rawValue: 1)
    static let messages = AnswerScope(rawValue: 2)
    static let contacts = AnswerScope(rawValue: 4)
    /// The log that the request names.
    static let log = AnswerScope(rawValue: 8)
    /// How the daemon and its store are doing: for callers with any right at all.
    static let operation = AnswerScope(rawValue: 16)
    static let files = AnswerScope(rawValue: 32)
    /// Every user's connections.
    static let administration = AnswerScope(rawValue: 64)
    /// The directory of the store's files, for root and the daemon's own user.
    static let host = AnswerScope(rawValue: 128)
    static let all: AnswerScope = [
        .conversations, .messages, .contacts, .log, .operation, .files, .administration, .host,
    ]

    /// What a caller with these rights may read of every entry.
    init(_ grants: Grants) {
        self = []
        let areas: [(Area, AnswerScope)] = [
            (.conversations, .conversations), (.messages, .messages), (.contacts, .contacts), (.logs, .log),
            (.files, .files),
        ]
        for (area, scope) in areas where grants.allows(.read(area)) {
            insert(scope)
        }
        if !grants.isEmpty {
            insert(.operation)
        }
        if grants.allows(.administration) {
            insert(.administration)
        }
        if grants.isOfHost {
            insert(.host)
        }
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}
