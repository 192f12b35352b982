package import StoreBasics

/// Everything that can be asked of the writer. What is fixed for a mutation stands in this file: what performs it, what
/// tells it from others, and whether it frees space.
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

extension WriteSession {
    /// Performs a mutation, or the next step of one that takes several commits.
    ///
    /// - Parameter progress: what the step before came to.
    mutating func perform(_ mutation: Mutation, after progress: LongWork?) throws(StoreError) -> WorkStep {
        switch mutation {
        case .getOrCreateConversation(let sessionID, let id, let displayName):
            .done(.conversation(try getOrCreateConversation(sessionID, id: id, displayName: displayName)))
        case .updateConversation(let reference, let update):
            .commit(try updateConversation(reference, update))
        case .markConversationRead(let reference):
            try markConversationRead(reference, after: progress)
        case .deleteConversation(let reference):
            .commit(try deleteConversation(reference))
        case .saveMessage(let message):
            .commit(try saveMessage(message))
        case .saveMessages(let messages):
            .commit(try saveMessages(messages))
        case .updateMessageStatus(let ids, let status):
            .commit(try updateMessageStatus(ids, status))
        case .markMessagesRead(let ids):
            .commit(try markMessagesRead(ids))
        case .editMessage(let id, let text, let editedAt):
            .commit(try editMessage(id, text: text, editedAt: editedAt))
        case .deleteMessages(let ids):
            .commit(try deleteMessages(ids))
        case .saveContact(let contact):
            .commit(try saveContact(contact))
        case .deleteContact(let sessionID):
            .commit(try deleteContact(sessionID))
        case .setContactBlocked(let sessionID, let isBlocked):
            .commit(try setContactBlocked(sessionID, isBlocked))
        case .setSceneValues(let tiers, let changes, let conditions):
            .commit(try setSceneValues(tiers, changes, conditions: conditions))
        case .removeScene(let scene):
            try removeScene(scene, after: progress)
        case .openLog(let name, let configuration):
            .done(.log(try openLog(name, configuration)))
        case .appendLog(let append):
            .done(.appended(try self.append(append), isReplayed: false))
        case .deleteLog(let name):
            .commit(try deleteLog(name))
        case .clearAllData:
            .commit(try clearAllData())
        case .compactChanges(let revision):
            .done(.compacted(throughRevision: try compactChanges(through: revision)))
        }
    }
}

extension Mutation {
    var isAppend: Bool {
        if case .appendLog = self { true } else { false }
    }

    /// May take several commits.
    var takesSteps: Bool {
        switch self {
        case .markConversationRead, .removeScene: true
        case .getOrCreateConversation, .updateConversation, .deleteConversation, .saveMessage, .saveMessages,
            .updateMessageStatus, .markMessagesRead, .editMessage, .deleteMessages, .saveContact, .deleteContact,
            .setContactBlocked, .setSceneValues, .openLog, .appendLog, .deleteLog, .clearAllData, .compactChanges:
            false
        }
    }

    /// Frees space rather than taking it, so that it is let through when the disk is full.
    var freesSpace: Bool {
        switch self {
        case .deleteConversation, .deleteMessages, .deleteContact, .removeScene, .deleteLog, .clearAllData,
            .compactChanges:
            true
        case .setSceneValues(_, let changes, _): changes.allSatisfy { $0.value == nil }
        case .getOrCreateConversation, .updateConversation, .markConversationRead, .saveMessage, .saveMessages,
            .updateMessageStatus, .markMessagesRead, .editMessage, .saveContact, .setContactBlocked, .openLog,
            .appendLog:
            false
        }
    }
}

extension Mutation {
    /// About how many rows a turn of it touches.
    var rowCount: Int {
        switch self {
        case .saveMessages(let messages): messages.count
        case .updateMessageStatus(let ids, _), .markMessagesRead(let ids), .deleteMessages(let ids): ids.count
        case .setSceneValues(_, let changes, let conditions): changes.count + conditions.count
        case .appendLog(let append): append.messages.count
        case .getOrCreateConversation, .updateConversation, .markConversationRead, .deleteConversation, .saveMessage,
            .editMessage, .saveContact, .deleteContact, .setContactBlocked, .removeScene, .openLog, .deleteLog,
            .clearAllData, .compactChanges:
            takesSteps ? EngineLimits.stepRowsMax : 1
        }
    }
}

/// Tells one operation from another: which call it is and what it is about, not what it writes. Kept beside an
/// idempotency key, so that a key used again for something else is refused instead of answered.
///
/// Whoever finds two operations that share one deceives only themselves: keys are kept apart by user.
struct MutationFingerprint: Hashable, Sendable {
    let value: UInt64

    init(value: UInt64) {
        self.value = value
    }

    /// The numbers of the kinds are kept at rest within the fingerprint: they stay as they are.
    init(_ mutation: Mutation) {
        var hash = StableHash()
        switch mutation {
        case .getOrCreateConversation(let sessionID, _, _):
            hash.add(1, sessionID.text)
        case .updateConversation(let reference, _):
            hash.add(2, reference)
        case .markConversationRead(let reference):
            hash.add(3, reference)
        case .deleteConversation(let reference):
            hash.add(4, reference)
        case .saveMessage(let message):
            hash.add(5, message)
        case .saveMessages(let messages):
            messages.forEach { hash.add(6, $0) }
        case .updateMessageStatus(let ids, let status):
            hash.add(7, ids)
            hash.combine(UInt8(truncatingIfNeeded: status.rawValue))
        case .markMessagesRead(let ids):
            hash.add(8, ids)
        case .editMessage(let id, _, _):
            hash.add(9, id.text)
        case .deleteMessages(let ids):
            hash.add(10, ids)
        case .saveContact(let contact):
            hash.add(11, contact.sessionID.text)
        case .deleteContact(let sessionID):
            hash.add(12, sessionID.text)
        case .setContactBlocked(let sessionID, let isBlocked):
            hash.add(isBlocked ? 13 : 14, sessionID.text)
        case .setSceneValues(let tiers, let changes, _):
            hash.add(15, tiers.own)
            changes.forEach { hash.add(15, $0.key.text) }
        case .removeScene(let scene):
            hash.add(16, scene.text)
        case .openLog(let name, _):
            hash.add(17, name.text)
        case .appendLog(let append):
            hash.add(18, append.log.text)
            hash.add(18, String(append.messages.count))
        case .deleteLog(let name):
            hash.add(19, name.text)
        case .clearAllData:
            hash.combine(20)
        case .compactChanges(let revision):
            hash.add(21, String(revision))
        }
        value = hash.value
    }
}

extension StableHash {
    /// The end of a text is a byte that UTF-8 never has, so that no two lists of texts run together.
    fileprivate mutating func add(_ kind: UInt8, _ text: String) {
        combine(kind)
        combine(text.utf8)
        combine(0xff)
    }

    fileprivate mutating func add(_ kind: UInt8, _ ids: [EntityID]) {
        for id in ids {
            add(kind, id.text)
        }
    }

    fileprivate mutating func add(_ kind: UInt8, _ reference: ConversationReference) {
        switch reference {
        case .id(let id): add(kind, id.text)
        case .session(let sessionID): add(kind | 0x80, sessionID.text)
        }
    }

    fileprivate mutating func add(_ kind: UInt8, _ message: NewMessage) {
        add(kind, message.conversation)
        add(kind, message.id?.text ?? "")
    }
}

/// A mutation with what the writer must know of its request.
package struct WriteRequest: Sendable {
    package var mutation: Mutation
    /// Names the operation among those of its user; see `IdempotencyKey`.
    package var idempotencyKey: IdempotencyKey?
    /// Whose turn it takes.
    package var owner: WorkOwner
    /// When the mutation must not be started any more, of `MonotonicClock`; `nil`: never.
    package var deadline: UInt64?
    /// The history that the request is about: another one refuses it; `nil`: any.
    package var history: HistoryID?
    /// About how many bytes of memory the request holds while it waits; counts against the queue's bound.
    package var byteCount: Int

    package init(
        _ mutation: Mutation, idempotencyKey: IdempotencyKey? = nil, owner: WorkOwner = .daemon,
        deadline: UInt64? = nil, history: HistoryID? = nil, byteCount: Int = 256
    ) {
        self.mutation = mutation
        self.owner = owner
        self.idempotencyKey = idempotencyKey
        self.deadline = deadline
        self.history = history
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
    /// Of values of scenes: for each change, in order, the revision of the key's own value behind it; 0 without one.
    package var valueRevisions: [UInt64] = []

    package init() {}
}
