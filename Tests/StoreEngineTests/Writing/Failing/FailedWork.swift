import StoreBasics

@testable import StoreEngine

/// A unit of work for the writer of a store.
enum FailedWork {
    case request(Mutation, IdempotencyKey? = nil)
    /// A request about entities that each store has created with its own random ids and keys.
    case ownRequest((WriterInHand) throws -> Mutation)
    /// An update of the search index.
    case indexing
    /// The removal of rows that earlier work has made unreachable, and the eviction of contents of attachments.
    case removal
    /// A read of an attachment by an application. It writes nothing.
    case reading(EntityID)
    /// Time that passes before the next work.
    case time(seconds: Int64)

    /// Performs the work without an interruption. A request may be refused.
    func perform(_ hand: WriterInHand) throws {
        switch self {
        case .request(let mutation, let key): _ = hand.perform([(mutation, key)])
        case .ownRequest(let make): _ = hand.perform([(try make(hand), nil)])
        case .indexing, .removal: try performOwn(hand, nil)
        case .reading(let message): try hand.readAttachment(of: message)
        case .time: break
        }
    }

    /// Performs work that the writer does by itself.
    func performOwn(_ hand: WriterInHand, _ place: StatementFault.Place?) throws(StoreError) {
        try hand.performOwn(place) { context throws(StoreError) in
            if case .indexing = self {
                return try SearchUpkeep.step(context) != .none
            }
            try RowRemoval.step(context)
            return context.hasRowsToRemove
        }
    }
}

/// The kinds of `Mutation`. A new kind does not compile until it is added here; then a test fails until some work uses
/// it.
enum MutationKind: CaseIterable {
    case getOrCreateConversation, updateConversation, markConversationRead, deleteConversation, saveDraft, deleteDraft
    case saveMessage, saveMessages, updateMessageStatus, markMessagesRead, editMessage, deleteMessages
    case addReaction, removeReaction, saveContact, deleteContact, setContactBlocked, setSceneValues, removeScene
    case openLog, appendLog, deleteLog, createDirectory, removeDirectory, saveFile, appendFile, completeFile
    case forgetFreedSlots, deleteFile, moveFile, copyFile, restore, removeDueMessages, clearAllData
    case clearAllDataLeavingGroup, compactChanges, replica, setMembers, removeMembers

    init(_ mutation: Mutation) {
        self =
            switch mutation {
            case .getOrCreateConversation: .getOrCreateConversation
            case .updateConversation: .updateConversation
            case .markConversationRead: .markConversationRead
            case .deleteConversation: .deleteConversation
            case .saveDraft: .saveDraft
            case .deleteDraft: .deleteDraft
            case .saveMessage: .saveMessage
            case .saveMessages: .saveMessages
            case .updateMessageStatus: .updateMessageStatus
            case .markMessagesRead: .markMessagesRead
            case .editMessage: .editMessage
            case .deleteMessages: .deleteMessages
            case .addReaction: .addReaction
            case .removeReaction: .removeReaction
            case .saveContact: .saveContact
            case .deleteContact: .deleteContact
            case .setContactBlocked: .setContactBlocked
            case .setSceneValues: .setSceneValues
            case .removeScene: .removeScene
            case .openLog: .openLog
            case .appendLog: .appendLog
            case .deleteLog: .deleteLog
            case .createDirectory: .createDirectory
            case .removeDirectory: .removeDirectory
            case .saveFile: .saveFile
            case .appendFile: .appendFile
            case .completeFile: .completeFile
            case .forgetFreedSlots: .forgetFreedSlots
            case .deleteFile: .deleteFile
            case .moveFile: .moveFile
            case .copyFile: .copyFile
            case .restore: .restore
            case .removeDueMessages: .removeDueMessages
            case .clearAllData: .clearAllData
            case .clearAllDataLeavingGroup: .clearAllDataLeavingGroup
            case .compactChanges: .compactChanges
            case .replica: .replica
            case .setMembers: .setMembers
            case .removeMembers: .removeMembers
            }
    }
}
