import StoreEngine
import StoreProtocol

/// The calls that one connection may use. The grants are resolved once, so that a request costs one bit test.
struct CallPermissions: Hashable, Sendable {
    /// One bit for the field number of each call that may be used on any entry.
    private var everywhere = CallSet()
    /// Calls that may be used on entries with certain names.
    private var somewhere = CallSet()
    private let grants: Grants
    /// The data that every answer to this caller may contain, whichever entry the request names.
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

    /// True for a caller without any right. Such a caller learns nothing about the store.
    var isStranger: Bool {
        grants.isEmpty
    }

    /// Returns true if the call may be used on all entries, or on entries with certain names.
    func allows(_ kind: CallKind) -> Bool {
        everywhere.contains(kind) || somewhere.contains(kind)
    }

    /// Returns true if the call may be used on all entries.
    func allowsEverywhere(_ kind: CallKind) -> Bool {
        everywhere.contains(kind)
    }

    /// Returns true if the call may be used on the entry with this name.
    func allows(_ kind: CallKind, name: String) -> Bool {
        everywhere.contains(kind) || grants.allows(kind.rule.requirement, name: name)
    }
}

/// A set of calls, stored as one bit for each call.
private struct CallSet: Hashable, Sendable {
    private var words = SIMD8<UInt64>.zero

    func contains(_ kind: CallKind) -> Bool {
        words[Int(kind.rawValue / 64)] & Self.bit(kind) != 0
    }

    /// Inserts a call. Field numbers of calls are below 512; a greater one traps here, when the first connection is
    /// created.
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

/// The check of rights to certain names. It follows decoding, because only then are the command's names known.
extension CallPermissions {
    /// Returns the command, limited to the caller's rights. If the rights do not cover the values that all scenes
    /// share, a request about a scene is limited to the scene itself: it neither reads nor changes shared values.
    ///
    /// - Throws: `StoreError` with reason `.permissionDenied`.
    func limited(_ command: Command, _ kind: CallKind, uid: UInt32) throws(StoreError) -> Command {
        guard !allowsEverywhere(kind) else { return command }
        let rights = command.entryRights(kind.rule.requirement)
        guard !rights.isEmpty, rights.allSatisfy({ grants.allows($0.requirement, name: $0.name) }) else {
            // A rule can limit the right by name only if the command names an entry. The values that all scenes share
            // have no name, and an ID is no name that a rule could contain.
            let hasName = rights.contains { $0.name != SceneTiers.globalScene }
            throw .permissionDenied(kind, isLimited: hasName, hasName ? " on this name" : " on this entry", uid: uid)
        }
        return allows(kind, name: SceneTiers.globalScene) ? command : command.withoutGlobalTier
    }

    /// Returns the data that the answer to a command may contain. The right to read append logs may be limited to some
    /// of them.
    func answerScope(_ command: Command, _ kind: CallKind) -> AnswerScope {
        guard !everyAnswerScope.contains(.log) else { return everyAnswerScope }
        let requirement = kind.rule.requirement
        guard requirement == .read(.logs) || requirement == .write(.logs), let log = command.entryName,
            grants.allows(.read(.logs), name: log)
        else { return everyAnswerScope }
        return everyAnswerScope.union(.log)
    }
}

/// The caller who requests a report on the daemon, with the data that the report may contain.
struct Asker: Hashable, Sendable {
    let uid: UInt32
    let scope: AnswerScope
}

/// The areas whose data an answer may contain. A call needs one right, but its answer may contain data of further
/// areas, and a right to write gives no right to read.
struct AnswerScope: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let conversations = AnswerScope(rawValue: 1)
    static let messages = AnswerScope(rawValue: 2)
    static let contacts = AnswerScope(rawValue: 4)
    /// The append log that the request names.
    static let log = AnswerScope(rawValue: 8)
    /// The state of the daemon and its store. Callers with any right at all may read it.
    static let operation = AnswerScope(rawValue: 16)
    static let files = AnswerScope(rawValue: 32)
    /// The connections of all users.
    static let administration = AnswerScope(rawValue: 64)
    /// The directory of the store's files. Only root and the daemon's own user may read it.
    static let host = AnswerScope(rawValue: 128)
    static let all: AnswerScope = [
        .conversations, .messages, .contacts, .log, .operation, .files, .administration, .host,
    ]

    /// Creates the scope that these rights give for an answer about any entries. So a right that is limited to some
    /// names does not count.
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
