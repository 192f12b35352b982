import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol

/// A request in the engine's terms: everything that could be wrong with its form has been refused already. Says where
/// the work is done; the calls that decide latency have cases of their own, the others bring what runs with them.
enum Command: Sendable {
    case hello(clientName: String)
    case ping
    case cancel(requestID: UInt64)
    /// Of what the daemon knows at once, of its own state.
    case report(@Sendable (ServerContext, Asker) throws(StoreError) -> Answer)
    case getMessage(EntityID)
    case listMessages(MessageQuery)
    case getSceneValues(SceneValueQuery)
    case read(Read)
    /// Of the entry it is about, in an area whose entries have names.
    case mutation(Mutation, of: String? = nil)
    case watch(WatchRequest)
    /// Read as soon as there is something to read, or when the time is over.
    case wait(WaitSubject, milliseconds: UInt32)
    /// Carries messages between the store and the log of its group.
    case replica(ReplicaCommand)
    /// A step of an export or import: it runs on the engine's thread for them.
    case blob(BlobCommand)
    /// A step of a write of a file in pieces: it runs on the engine's thread for them.
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

    /// Carries messages of the store's group: no client waits for it.
    var isOfGroup: Bool {
        switch self {
        case .replica, .wait(.replicaMessages, _): true
        default: false
        }
    }

    /// Reads whose size the caller chooses: only so many of one connection run at once.
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

/// What rights that hold for certain names look at.
extension Command {
    /// The name of the entry that the command is about, in an area whose entries have names.
    var entryName: String? {
        switch self {
        case .mutation(_, let name): name
        case .getSceneValues(let query): query.tiers.own
        case .read(let read): read.entryName
        case .wait(.log(let query), _): query.log.text
        case .blob(.beginExport(let request)): request.query.conversation.sessionText
        case .blob(.beginImport(let request)): request.conversation?.sessionText
        case .fileWrite(.begin(let request)): request.path.text
        case .hello, .ping, .cancel, .report, .getMessage, .listMessages, .watch, .wait(.replicaMessages, _), .replica,
            .blob, .fileWrite, .administration:
            nil
        }
    }

    /// The rights that it takes where a right holds for certain names; none without such a name.
    ///
    /// - Parameter requirement: of the call.
    func entryRights(_ requirement: AccessRequirement) -> [EntryRight] {
        if case .mutation(let mutation, _) = self, let rights = mutation.fileRights {
            return rights
        }
        return entryName.map { [EntryRight(requirement: requirement, name: $0)] } ?? []
    }

    /// Limited to the scene itself, where it is about one.
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
    /// What a rule on blobs can name: a session id. A conversation named by its id takes the right to all.
    fileprivate var sessionText: String? {
        switch self {
        case .session(let sessionID): sessionID.text
        case .id: nil
        }
    }
}

/// A right to the entry of one name.
struct EntryRight: Hashable, Sendable {
    let requirement: AccessRequirement
    let name: String
}

/// A read of the store and how it is answered.
struct Read: Sendable {
    /// True when the caller chooses its size, or there is an avatar in it: it runs on a reader thread. Others are
    /// short enough for an event loop.
    let isLong: Bool
    /// The entry it is about, in an area whose entries have names.
    let entryName: String?
    /// Of a long one that may turn out to be short: tried first, on an event loop. `nil` from it: it is not short.
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

/// The request of a watcher.
struct WatchRequest: Sendable, Hashable {
    /// Replay changes with a greater revision; `nil`: only what is committed from now on.
    var afterRevision: UInt64?
    var filter: ChangeFilter
}

/// Carries messages between the store and the log of its group, at once.
enum ReplicaCommand: Sendable {
    case take(ReplicaTake)
    case handIn(ReplicaMessage)
}

/// Work on the store as a whole. It may take long and runs on a queue of its own.
struct AdministrationCommand: Sendable {
    /// True when it tries a passphrase against a keyring, so that failures slow the caller down.
    let triesPassphrase: Bool
    /// True when it ends other administration rather than waiting for it.
    let isUrgent: Bool
    /// The key slot it is about, where the request names one.
    var slot: Int?
    /// The backup of which it reads or writes a piece.
    var transfer: Transfer?
    let run: @Sendable (StoreEngine, @escaping (Progress) -> Void) throws(StoreError) -> AdministrationOutcome
}

/// A backup that goes over a connection in pieces.
struct Transfer: Sendable, Hashable {
    enum Direction: Sendable, Hashable {
        case download
        case upload
    }

    let direction: Direction
    let backup: String
    /// The piece is the first one.
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

/// What a piece of administration came to, with a secret for the caller where it made one.
struct AdministrationOutcome: ~Copyable {
    let result: WireResponse.OneOf_Result
    /// The key slot that was made, changed, or opened.
    let slot: Int?
    let recoveryCode: SecretBytes?

    init(_ result: WireResponse.OneOf_Result, slot: Int? = nil) {
        self.result = result
        self.slot = slot
        recoveryCode = nil
    }

    /// - Parameter result: made with so many zeros where the code belongs; `SecretResponse` puts it there.
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
