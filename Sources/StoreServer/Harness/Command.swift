import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol

/// A valid request in the terms of the engine. Its form has already been validated. The cases say on which thread the
/// work is done. Calls that must be fast have cases of their own; other cases contain the closure to run.
enum Command: Sendable {
    case hello(clientName: String)
    case ping
    case cancel(requestID: UInt64)
    /// A report on the daemon's own state, which is answered at once.
    case report(@Sendable (ServerContext, Asker) throws(StoreError) -> Answer)
    case getMessage(EntityID)
    case listMessages(MessageQuery)
    case getSceneValues(SceneValueQuery)
    case read(Read)
    /// A mutation; `of` names its entry in an area whose entries have names.
    case mutation(Mutation, of: String? = nil)
    case watch(WatchRequest)
    /// A read that is answered as soon as there is something to read, or after the given time.
    case wait(WaitSubject, milliseconds: UInt32)
    /// A command that carries messages between the store and the stream of its replica group.
    case replica(ReplicaCommand)
    /// A step of an export or import. It runs on the engine's thread for exports and imports.
    case blob(BlobCommand)
    /// A step of a write of a file in parts. It runs on the engine's thread for such writes.
    case fileWrite(FileWriteCommand)
    case administration(AdministrationCommand)

    var isMutation: Bool {
        switch self {
        case .mutation, .replica(.handIn): true
        case .hello, .ping, .cancel, .report, .getMessage, .listMessages, .getSceneValues, .read, .watch, .wait,
            .replica(.take), .blob, .fileWrite, .administration:
            false
        }
    }

    /// True for the agent's commands, which carry messages between the store and the stream of its replica group. They
    /// do not count when `LoopActivity` decides whether only one connection uses the event loop.
    var isOfGroup: Bool {
        switch self {
        case .replica, .wait(.replicaMessages, _): true
        default: false
        }
    }

    /// True for reads whose size the caller chooses. The number of them that run at once on one connection is limited.
    var isLong: Bool {
        switch self {
        case .listMessages: true
        case .getSceneValues(let query): !query.isOfOneKey
        case .read(let read): read.isLong
        case .hello, .ping, .cancel, .report, .getMessage, .mutation, .watch, .wait, .replica, .blob, .fileWrite,
            .administration:
            false
        }
    }
}

/// The entries that a command needs rights to. An access rule can grant a right to all entries of an area, or only to
/// entries with certain names.
extension Command {
    /// The name of the entry that the command is about; `nil` if it is about no single entry, or if the entries of the
    /// area have no names.
    var entryName: String? {
        switch self {
        case .mutation(_, let name): name
        case .getSceneValues(let query): query.tiers.own
        case .read(let read): read.entryName
        case .wait(.log(let query), _): query.log.text
        case .blob(.beginExport(let request)): request.conversation.sessionText
        case .blob(.beginImport(let request)): request.conversation?.sessionText
        case .fileWrite(.begin(let request)): request.path.text
        case .hello, .ping, .cancel, .report, .getMessage, .listMessages, .watch, .wait(.replicaMessages, _), .replica,
            .blob, .fileWrite, .administration:
            nil
        }
    }

    /// Returns the rights that the caller needs if its rules grant the right only for certain names. Returns none if
    /// the command names no entry.
    ///
    /// - Parameter requirement: The requirement of the call.
    func entryRights(_ requirement: AccessRequirement) -> [EntryRight] {
        if case .mutation(let mutation, _) = self, let rights = mutation.fileRights {
            return rights
        }
        return entryName.map { [EntryRight(requirement: requirement, name: $0)] } ?? []
    }

    /// The same command without access to the global values, which all scenes share. A command that is not about a
    /// scene is returned unchanged.
    var withoutGlobalTier: Command {
        switch self {
        case .mutation(.setSceneValues(let tiers, let changes, let conditions), let scene):
            return .mutation(.setSceneValues(tiers.withoutGlobal, changes, conditions: conditions), of: scene)
        case .getSceneValues(var query):
            query.tiers = query.tiers.withoutGlobal
            return .getSceneValues(query)
        case .hello, .ping, .cancel, .report, .getMessage, .listMessages, .read, .mutation, .watch, .wait, .replica,
            .blob, .fileWrite, .administration:
            return self
        }
    }
}

extension ConversationReference {
    /// The session ID, which access rules on blobs use as the name. It is `nil` for a conversation that the request
    /// names by its ID; the caller then needs the right to all blobs.
    fileprivate var sessionText: String? {
        switch self {
        case .session(let sessionID): sessionID.text
        case .id: nil
        }
    }
}

/// A right that the caller needs, and the name of the entry for which it is needed.
struct EntryRight: Hashable, Sendable {
    let requirement: AccessRequirement
    let name: String
}

/// A read of the store together with the encoding of its answer.
struct Read: Sendable {
    /// True if the caller chooses the size of the read, or if its answer contains an avatar. Such a read runs on a
    /// reader thread. Other reads are short enough for an event loop.
    let isLong: Bool
    /// The name of the entry that the read is about; `nil` if it is about no single entry, or if the entries of the
    /// area have no names.
    let entryName: String?
    /// A function that tries a long read on the event loop first, because the read may turn out to be short. It returns
    /// `nil` if the read is not short.
    let shortAnswer: (@Sendable (StoreReader) throws(StoreError) -> Answer?)?
    let answer: @Sendable (StoreReader, AnswerScope) throws(StoreError) -> Answer
}

extension Command {
    static func read(
        isLong: Bool, of entryName: String? = nil,
        _ answer: @escaping @Sendable (StoreReader, AnswerScope) throws(StoreError) -> Answer
    ) -> Command {
        .read(Read(isLong: isLong, entryName: entryName, shortAnswer: nil, answer: answer))
    }
}

/// The start and the filter of a watch.
struct WatchRequest: Sendable, Hashable {
    /// Changes with a greater revision are sent first; `nil` sends only changes that are committed from now on.
    var afterRevision: UInt64?
    var filter: ChangeFilter
}

/// A command that carries messages between the store and the stream of its replica group. It is answered at once, even
/// if there are no messages.
enum ReplicaCommand: Sendable {
    case take(OutgoingRequest)
    case handIn(ReplicaMessage)
}

/// Work on the store as a whole. It may take long and runs on a separate queue.
struct AdministrationCommand: Sendable {
    /// True if the command tries a passphrase against a keyring. Failures then delay the caller's next attempts.
    let triesPassphrase: Bool
    /// True if the command ends other administration instead of waiting for it.
    let isUrgent: Bool
    /// The key slot that the command is about, if the request names one.
    var slot: Int?
    /// The backup of which the command reads or writes a part.
    var transfer: Transfer?
    let run: @Sendable (StoreEngine, @escaping (Progress) -> Void) throws(StoreError) -> AdministrationOutcome
}

/// A backup that is transferred over a connection in parts.
struct Transfer: Sendable, Hashable {
    enum Direction: Sendable, Hashable {
        case download
        case upload
    }

    let direction: Direction
    let backup: String
    /// True if this is the first part.
    var isBeginning: Bool
}

extension Command {
    static func administration(
        triesPassphrase: Bool = false, isUrgent: Bool = false, slot: Int? = nil, transfer: Transfer? = nil,
        _ run:
            @escaping @Sendable (StoreEngine, @escaping (Progress) -> Void) throws(StoreError) -> AdministrationOutcome
    ) -> Command {
        .administration(
            AdministrationCommand(
                triesPassphrase: triesPassphrase, isUrgent: isUrgent, slot: slot, transfer: transfer, run: run))
    }
}

/// The result of an administration command, with a secret for the caller if the command created one.
struct AdministrationOutcome: ~Copyable {
    let result: WireResponse.OneOf_Result
    /// The key slot that was created, changed or opened.
    let slot: Int?
    let recoveryCode: SecretBytes?

    init(_ result: WireResponse.OneOf_Result, slot: Int? = nil) {
        self.result = result
        self.slot = slot
        recoveryCode = nil
    }

    /// - Parameter result: Creates the result with the given number of zeros in place of the code. `SecretResponse`
    ///   inserts the code.
    init(
        _ recoveryCode: consuming SecretBytes?, slot: Int? = nil,
        _ result: (_ codeBytes: Int) -> WireResponse.OneOf_Result
    ) {
        self.slot = slot
        self.result = result(Self.count(recoveryCode))
        self.recoveryCode = recoveryCode
    }

    consuming func takeRecoveryCode() -> SecretBytes? {
        recoveryCode
    }

    private static func count(_ code: borrowing SecretBytes?) -> Int {
        switch code {
        case .some(let code): code.count
        case .none: 0
        }
    }
}
