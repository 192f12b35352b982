import StoreProtocol

extension CallKind {
    /// The call's row.
    var rule: CallRule {
        switch self {
        case .hello: ServiceCalls.hello
        case .ping: ServiceCalls.ping
        case .getStatus: ServiceCalls.getStatus
        case .getMetrics: ServiceCalls.getMetrics
        case .cancel: ServiceCalls.cancel
        case .initializeStore: KeyCalls.initializeStore
        case .unlock: KeyCalls.unlock
        case .lock: KeyCalls.lock
        case .listKeySlots: KeyCalls.listKeySlots
        case .addKeySlot: KeyCalls.addKeySlot
        case .removeKeySlot: KeyCalls.removeKeySlot
        case .changePassphrase: KeyCalls.changePassphrase
        case .rotateMasterKey: KeyCalls.rotateMasterKey
        case .getStatistics: MaintenanceCalls.getStatistics
        case .checkStore: MaintenanceCalls.checkStore
        case .createBackup: BackupCalls.createBackup
        case .listBackups: BackupCalls.listBackups
        case .readBackup: BackupCalls.readBackup
        case .beginBackupUpload: BackupCalls.beginBackupUpload
        case .writeBackup: BackupCalls.writeBackup
        case .verifyBackup: BackupCalls.verifyBackup
        case .restoreBackup: BackupCalls.restoreBackup
        case .deleteBackup: BackupCalls.deleteBackup
        case .clearAllData: MaintenanceCalls.clearAllData
        case .getOrCreateConversation: ConversationCalls.getOrCreateConversation
        case .getConversation: ConversationCalls.getConversation
        case .listConversations: ConversationCalls.listConversations
        case .updateConversation: ConversationCalls.updateConversation
        case .markConversationRead: ConversationCalls.markConversationRead
        case .deleteConversation: ConversationCalls.deleteConversation
        case .saveDraft: DraftCalls.saveDraft
        case .getDraft: DraftCalls.getDraft
        case .listDrafts: DraftCalls.listDrafts
        case .deleteDraft: DraftCalls.deleteDraft
        case .saveMessage: MessageCalls.saveMessage
        case .saveMessages: MessageCalls.saveMessages
        case .getMessage: MessageCalls.getMessage
        case .listMessages: MessageCalls.listMessages
        case .updateMessageStatus: MessageCalls.updateMessageStatus
        case .markMessagesRead: MessageCalls.markMessagesRead
        case .editMessage: MessageCalls.editMessage
        case .deleteMessages: MessageCalls.deleteMessages
        case .addReaction: ReactionCalls.addReaction
        case .removeReaction: ReactionCalls.removeReaction
        case .listReactions: ReactionCalls.listReactions
        case .saveContact: ContactCalls.saveContact
        case .getContact: ContactCalls.getContact
        case .listContacts: ContactCalls.listContacts
        case .deleteContact: ContactCalls.deleteContact
        case .setContactBlocked: ContactCalls.setContactBlocked
        case .listChanges: ChangeCalls.listChanges
        case .watch: ChangeCalls.watch
        case .compactChanges: ChangeCalls.compactChanges
        case .setSceneValues: SceneCalls.setSceneValues
        case .getSceneValues: SceneCalls.getSceneValues
        case .listScenes: SceneCalls.listScenes
        case .removeScene: SceneCalls.removeScene
        case .openLog: LogCalls.openLog
        case .appendLog: LogCalls.appendLog
        case .readLog: LogCalls.readLog
        case .getLog: LogCalls.getLog
        case .listLogs: LogCalls.listLogs
        case .deleteLog: LogCalls.deleteLog
        case .beginBlobExport: BlobCalls.beginBlobExport
        case .readBlobExport: BlobCalls.readBlobExport
        case .beginBlobImport: BlobCalls.beginBlobImport
        case .writeBlobImport: BlobCalls.writeBlobImport
        case .finishBlobImport: BlobCalls.finishBlobImport
        case .endBlobSession: BlobCalls.endBlobSession
        }
    }
}
