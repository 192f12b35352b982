package import StoreBasics

/// Everything that can be asked of the writer.
package enum Mutation: Sendable {
    case getOrCreateConversation(SessionID, id: EntityID?, displayName: String?)
    case updateConversation(ConversationReference, ConversationUpdate)
    case markConversationRead(ConversationReference)
    case deleteConversation(ConversationReference)
    case saveMessage(NewMessage)
    case saveMessages([NewMessage])
    case updateMessageStatus([EntityID], MessageStatus)
    case markMessagesRead([EntityID])
    case editMessage(EntityID, text: String, editedAt: Timestamp?)
    case deleteMessages([EntityID])
    case saveContact(ContactUpdate)
    case deleteContact(SessionID)
    case setContactBlocked(SessionID, Bool)
    case setSceneValues(SceneTiers, [SceneChange], conditions: [SceneCondition])
    case removeScene(SceneName)
    case openLog(LogName, LogConfiguration)
    case appendLog(LogAppend)
    case deleteLog(LogName)
    case clearAllData
    case compactChanges(throughRevision: UInt64)
}

extension Mutation {
    var isAppend: Bool {
        if case .appendLog = self { true } else { false }
    }
}

/// A mutation with what the writer must know of its request.
package struct WriteRequest: Sendable {
    package var mutation: Mutation
    /// Names the operation among those of its user; see `IdempotencyKey`.
    package var idempotencyKey: IdempotencyKey?
    /// When the mutation must not be started any more, of `MonotonicClock`; `nil`: never.
    package var deadline: UInt64?
    /// About how many bytes of memory the request holds while it waits; counts against the queue's bound.
    package var byteCount: Int

    package init(
        _ mutation: Mutation, idempotencyKey: IdempotencyKey? = nil, deadline: UInt64? = nil,
        byteCount: Int = 256
    ) {
        self.mutation = mutation
        self.idempotencyKey = idempotencyKey
        self.deadline = deadline
        self.byteCount = byteCount
    }
}

/// 8 to 64 bytes chosen by a client, kept apart by user.
package struct IdempotencyKey: Hashable, Sendable {
    package static let bytesMin = 8
    package static let bytesMax = 64

    let bytes: [UInt8]
    let userID: UInt32

    /// - Throws: `StoreError` with reason `.invalidArgument` when there are fewer than 8 or more than 64 bytes.
    package init(_ bytes: [UInt8], userID: UInt32) throws(StoreError) {
        guard (Self.bytesMin...Self.bytesMax).contains(bytes.count) else {
            throw .invalidArgument("the idempotency key has \(bytes.count) bytes; it must have 8 to 64")
        }
        self.bytes = bytes
        self.userID = userID
    }
}

/// What a mutation is answered with: made in its transaction, so that nothing which comes after it shows.
package enum MutationResult: Hashable, Sendable {
    case commit(Commit)
    /// Found or created, without its avatar.
    indirect case conversation(Conversation)
    /// Found or created.
    indirect case log(Log)
    /// The sequence numbers that messages got.
    case appended(ClosedRange<UInt64>, isReplayed: Bool)
    /// Changes with a greater revision are still kept.
    case compacted(throughRevision: UInt64)

    /// The same, as the repetition of an earlier result.
    var replayed: MutationResult {
        switch self {
        case .commit(var commit):
            commit.isReplayed = true
            return .commit(commit)
        case .appended(let sequences, _):
            return .appended(sequences, isReplayed: true)
        case .conversation, .log, .compacted:
            return self
        }
    }
}

/// What a mutation did.
package struct Commit: Hashable, Sendable {
    /// The store's revision after the mutation.
    package var revision: UInt64 = 0
    /// The entities written, in request order.
    package var ids: [String] = []
    package var createdCount = 0
    package var updatedCount = 0
    package var deletedCount = 0
    /// An idempotency key made this the repetition of an earlier commit.
    package var isReplayed = false

    package init() {}
}
