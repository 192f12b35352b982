package import StoreBasics

/// All requests to the writer. This file defines for each mutation how it is performed, and whether it frees space.
///
/// The enumeration is indirect, so that requests are passed on without copying their contents.
package indirect enum Mutation: Sendable {
    case getOrCreateConversation(SessionID, id: EntityID?, displayName: String?)
    case updateConversation(ConversationReference, ConversationUpdate)
    case markConversationRead(ConversationReference)
    case deleteConversation(ConversationReference)
    case setMembers(ConversationReference, [ConversationMember])
    case removeMembers(ConversationReference, [SessionID])
    case saveDraft(NewDraft)
    case deleteDraft(ConversationReference)
    case saveMessage(NewMessage, clearsDraft: Bool = false)
    case saveMessages([NewMessage])
    case updateMessageStatus([EntityID], MessageStatus)
    case markMessagesRead([EntityID])
    case editMessage(EntityID, text: String, editedAt: Timestamp?)
    case deleteMessages([EntityID])
    case addReaction(ReactionReference)
    case removeReaction(ReactionReference)
    case saveContact(ContactUpdate)
    case deleteContact(SessionID)
    case setContactBlocked(SessionID, Bool)
    case setSceneValues(SceneTiers, [SceneChange], conditions: [SceneCondition])
    case removeScene(SceneName)
    case openLog(LogName, LogConfiguration, isReplicated: Bool = false)
    case appendLog(LogAppend)
    case deleteLog(LogName)
    case createDirectory(FilePath, createsParents: Bool)
    case removeDirectory(FilePath, withChildren: Bool)
    case saveFile(FilePath, [UInt8], createsParents: Bool)
    case appendFile(FilePath, [UInt8], createsParents: Bool)
    /// Completes a file write that a client has sent in parts; `nil` if no such write is running. The writer then
    /// returns the answer that is stored under the idempotency key, or throws `.fileWriteNotFound` if there is none.
    case completeFile(FileCompletion?)
    case forgetFreedSlots(Int64, Range<UInt64>)
    case deleteFile(FilePath)
    case moveFile(FilePath, to: FilePath)
    case copyFile(FilePath, to: FilePath)
    case restore(RestoreBatch)
    /// Deletes due messages. The store itself requests it.
    case removeDueMessages
    case clearAllData
    /// Deletes everything. A store that belongs to a replica group leaves the group.
    case clearAllDataLeavingGroup
    case compactChanges(throughRevision: UInt64)
    case replica(ReplicaWork)
}

extension StoreWrites {
    /// Performs a mutation, or the next step of a mutation that takes several commits.
    ///
    /// - Parameter progress: The progress that the previous step has returned; `nil` for the first step.
    func perform(
        _ mutation: Mutation, after progress: (any WorkProgress)?
    ) throws(StoreError) -> WorkStep<MutationResult> {
        switch mutation {
        case .getOrCreateConversation(let sessionID, let id, let displayName):
            .done(.found(try areas.conversations.getOrCreateConversation(sessionID, id: id, displayName: displayName)))
        case .updateConversation(let reference, let update):
            .commit(try areas.conversations.updateConversation(reference, update))
        case .markConversationRead(let reference):
            try areas.messages.markConversationRead(reference, after: progress).map { .commit($0) }
        case .deleteConversation(let reference): .commit(try areas.conversations.deleteConversation(reference))
        case .setMembers(let reference, let members): .commit(try areas.members.setMembers(reference, members))
        case .removeMembers(let reference, let ids): .commit(try areas.members.removeMembers(reference, ids))
        case .saveDraft(let draft): .commit(try areas.drafts.saveDraft(draft))
        case .deleteDraft(let reference): .commit(try areas.drafts.deleteDraft(reference))
        case .saveMessage(let message, let clearsDraft):
            .commit(try areas.messages.saveMessage(message, clearsDraft: clearsDraft))
        case .saveMessages(let messages): .commit(try areas.messages.saveMessages(messages))
        case .updateMessageStatus(let ids, let status): .commit(try areas.messages.updateMessageStatus(ids, status))
        case .markMessagesRead(let ids): .commit(try areas.messages.markMessagesRead(ids))
        case .editMessage(let id, let text, let editedAt):
            .commit(try areas.messages.editMessage(id, text: text, editedAt: editedAt))
        case .deleteMessages(let ids): .commit(try areas.messages.deleteMessages(ids))
        case .addReaction(let reaction): .commit(try areas.reactions.addReaction(reaction))
        case .removeReaction(let reaction): .commit(try areas.reactions.removeReaction(reaction))
        case .saveContact(let contact): .commit(try areas.contacts.saveContact(contact))
        case .deleteContact(let sessionID): .commit(try areas.contacts.deleteContact(sessionID))
        case .setContactBlocked(let sessionID, let isBlocked):
            .commit(try areas.contacts.setContactBlocked(sessionID, isBlocked))
        case .setSceneValues(let tiers, let changes, let conditions):
            .commit(try areas.scenes.setSceneValues(tiers, changes, conditions: conditions))
        case .removeScene(let scene): try areas.scenes.removeScene(scene, after: progress).map { .commit($0) }
        case .openLog(let name, let configuration, let isReplicated):
            .done(.opened(try areas.logs.openLog(name, configuration, isReplicated: isReplicated)))
        case .appendLog(let append): .done(.appended(try self.areas.logs.append(append), isReplayed: false))
        case .deleteLog(let name): .commit(try areas.logs.deleteLog(name))
        case .createDirectory(let path, let createsParents):
            .commit(try areas.files.createDirectory(path, createsParents: createsParents))
        case .removeDirectory(let path, let withChildren):
            .commit(try areas.files.removeDirectory(path, withChildren: withChildren))
        case .saveFile(let path, let bytes, let createsParents):
            .commit(try areas.files.saveFile(path, bytes, createsParents: createsParents))
        case .appendFile(let path, let bytes, let createsParents):
            .commit(try areas.files.appendFile(path, bytes, createsParents: createsParents))
        case .completeFile(let completion): .commit(try areas.files.complete(completion))
        case .forgetFreedSlots(let content, let slots): .commit(try areas.files.forgetFreedSlots(content, slots))
        case .deleteFile(let path): .commit(try areas.files.deleteFile(path))
        case .moveFile(let origin, let place):
            try areas.files.moveFile(origin, to: place, after: progress).map { .commit($0) }
        case .copyFile(let origin, let place):
            try areas.files.copyFile(origin, to: place, after: progress).map { .commit($0) }
        case .restore(let batch): try archive.restore(batch, after: progress).map { .restored($0) }
        case .removeDueMessages: try areas.due.removeDueMessages().map { .commit($0) }
        case .clearAllData: .commit(try clearing.clearAllData(leavingGroup: false))
        case .clearAllDataLeavingGroup: .commit(try clearing.clearAllData(leavingGroup: true))
        case .compactChanges(let revision):
            try clearing.compactChanges(through: revision).map { .compacted(throughRevision: $0, isReplayed: false) }
        case .replica(let work): try replica.perform(work, after: progress).map { .replica($0) }
        }
    }
}

extension WorkStep<MutationResult> {
    fileprivate static func commit(_ commit: Commit) -> WorkStep { .done(.commit(commit)) }
}

extension MutationResult {
    fileprivate static func found(_ found: (conversation: Conversation, isNew: Bool)) -> MutationResult {
        .conversation(found.conversation, isNew: found.isNew, isReplayed: false)
    }

    fileprivate static func opened(_ opened: (log: Log, isNew: Bool)) -> MutationResult {
        .log(opened.log, isNew: opened.isNew, isReplayed: false)
    }
}

extension Mutation {
    /// True if the mutation may be split into several commits. Later writes of its connection wait for the last commit.
    var mayNeedSeveralCommits: Bool {
        switch self {
        case .markConversationRead, .removeScene, .copyFile, .restore, .removeDueMessages, .compactChanges, .replica:
            true
        case .getOrCreateConversation, .updateConversation, .deleteConversation, .setMembers, .removeMembers,
            .saveDraft, .deleteDraft, .saveMessage, .saveMessages, .updateMessageStatus, .markMessagesRead,
            .editMessage, .deleteMessages,
            .addReaction, .removeReaction, .saveContact, .deleteContact, .setContactBlocked, .setSceneValues, .openLog,
            .appendLog, .deleteLog, .createDirectory, .removeDirectory, .saveFile, .appendFile,
            .completeFile, .forgetFreedSlots, .deleteFile, .moveFile, .clearAllData, .clearAllDataLeavingGroup:
            false
        }
    }

    /// True if the mutation transfers messages between the store and its replica group. No client waits for it, and it
    /// gets only a share of the writer's time.
    var isPaced: Bool {
        switch self {
        case .replica(.take), .replica(.handIn): true
        default: false
        }
    }

    /// True if pending values that all scenes share may stay unwritten while this mutation is performed. Either it does
    /// not use such values, or it takes the pending ones into account.
    var leavesSharedSceneValues: Bool {
        switch self {
        case .setSceneValues(_, _, let conditions): conditions.isEmpty
        case .saveMessage, .appendLog: true
        default: false
        }
    }

    /// True if the mutation saves messages. The sums that new messages change in the rows of their conversations may
    /// then wait to be written. If one of the messages exists already, the mutation writes the waiting sums first.
    var leavesSums: Bool {
        switch self {
        case .saveMessage(_, let clearsDraft): !clearsDraft
        case .saveMessages: true
        default: false
        }
    }

    /// True if the mutation does not use conversations, so that pending changes of conversations may keep waiting.
    var leavesConversations: Bool {
        switch self {
        case .setSceneValues, .appendLog: true
        default: false
        }
    }

    /// True if the mutation changes a few rows in one commit, whatever the store contains. Mutations that free space
    /// are excluded, because on a full disk they are performed twice.
    var isShort: Bool { changesFewRows && !freesSpace }

    private var changesFewRows: Bool {
        switch self {
        case .saveMessage(let message, _): message.attachments.isEmpty
        case .setSceneValues, .appendLog, .updateMessageStatus, .markMessagesRead: rowCount <= 8
        case .saveDraft(let draft): draft.attachments.isEmpty
        case .editMessage, .addReaction, .removeReaction, .saveContact, .setContactBlocked, .updateConversation: true
        case .getOrCreateConversation, .markConversationRead, .deleteConversation, .setMembers, .removeMembers,
            .deleteDraft, .saveMessages, .deleteMessages, .deleteContact, .removeScene, .openLog, .deleteLog,
            .createDirectory, .removeDirectory,
            .saveFile, .appendFile, .completeFile, .forgetFreedSlots, .deleteFile, .moveFile, .copyFile, .restore,
            .removeDueMessages, .clearAllData, .clearAllDataLeavingGroup, .compactChanges, .replica:
            false
        }
    }

    /// True if the mutation frees space instead of using it, so that it is accepted when the disk is full.
    var freesSpace: Bool {
        switch self {
        case .deleteConversation, .removeMembers, .deleteDraft, .deleteMessages, .removeReaction, .deleteContact,
            .removeScene, .deleteLog, .removeDirectory, .deleteFile, .forgetFreedSlots, .removeDueMessages,
            .clearAllData,
            .clearAllDataLeavingGroup, .compactChanges:
            true
        case .saveDraft(let draft): draft.isEmpty
        case .setSceneValues(_, let changes, _): changes.allSatisfy { $0.value == nil }
        case .getOrCreateConversation, .updateConversation, .setMembers, .markConversationRead, .saveMessage,
            .saveMessages, .updateMessageStatus, .markMessagesRead, .editMessage, .addReaction, .saveContact,
            .setContactBlocked,
            .openLog, .appendLog, .createDirectory, .saveFile, .appendFile, .completeFile, .moveFile, .copyFile,
            .restore, .replica:
            false
        }
    }
}

extension Mutation {
    /// The approximate number of rows that one step of the mutation changes.
    var rowCount: Int {
        switch self {
        case .saveMessages(let messages): messages.reduce(messages.count) { $0 + $1.attachments.count }
        case .saveMessage(let message, _): 1 + message.attachments.count
        case .updateMessageStatus(let ids, _), .markMessagesRead(let ids), .deleteMessages(let ids): ids.count
        case .setSceneValues(_, let changes, let conditions): changes.count + conditions.count
        case .appendLog(let append): append.messages.count
        case .setMembers(_, let members): members.count
        case .removeMembers(_, let ids): ids.count
        case .restore(let batch): batch.rowCount
        case .getOrCreateConversation, .updateConversation, .markConversationRead, .deleteConversation, .saveDraft,
            .deleteDraft, .editMessage, .addReaction, .removeReaction, .saveContact, .deleteContact,
            .setContactBlocked, .removeScene, .openLog, .deleteLog, .createDirectory, .removeDirectory, .saveFile,
            .appendFile, .completeFile, .forgetFreedSlots, .deleteFile, .moveFile, .copyFile, .removeDueMessages,
            .clearAllData, .clearAllDataLeavingGroup, .compactChanges, .replica:
            mayNeedSeveralCommits ? EngineLimits.stepRowsMax : 1
        }
    }
}

/// A request to change the store: the mutation, and the conditions under which it is performed.
package struct WriteRequest: Sendable {
    package var mutation: Mutation
    /// Identifies the operation among the operations of its user; see `IdempotencyKey`.
    package var idempotencyKey: IdempotencyKey?
    /// The user and connection whose turn the request takes.
    package var owner: WorkOwner
    /// The time of `MonotonicClock` after which the mutation must not be started; `nil` for none.
    package var deadline: UInt64?
    /// The history for which the request was made. If the store has another history, the request is refused. `nil` for
    /// any history.
    package var history: HistoryID?
    /// The approximate memory of the waiting request in bytes, which counts towards the queue's limit.
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
