internal import StoreEngine
internal import StoreProtocol

/// How a call stands to the other calls of its connection.
enum CallOrder: Hashable, Sendable {
    /// Answered at once, whatever else is under way.
    case free
    /// Sees every write sent before it.
    case read
    /// Applied in the order sent.
    case write
    /// Changes the state of the whole store: waits for all before it, and all after it wait.
    case barrier
}

/// What is fixed for each call: who may use it, how it is ordered and how large it may be. One table per question.
extension CallKind {
    var requirement: AccessRequirement {
        switch self {
        case .hello, .ping, .getStatus, .cancel, .endBlobSession:
            .none
        case .readBlobExport:
            .continueExport
        case .writeBlobImport, .finishBlobImport:
            .continueImport
        case .beginBlobExport:
            .exportBlobs
        case .beginBlobImport:
            .importBlobs
        case .getMetrics, .initializeStore, .unlock, .lock, .listKeySlots, .addKeySlot, .removeKeySlot,
            .changePassphrase, .rotateMasterKey, .checkStore, .createBackup, .listBackups, .readBackup,
            .beginBackupUpload, .writeBackup, .verifyBackup, .restoreBackup, .deleteBackup, .clearAllData,
            .compactChanges:
            .administration
        case .getStatistics, .getConversation, .listConversations:
            .read(.conversations)
        case .getOrCreateConversation, .updateConversation, .markConversationRead, .deleteConversation:
            .write(.conversations)
        case .getMessage, .listMessages:
            .read(.messages)
        case .saveMessage, .saveMessages, .updateMessageStatus, .markMessagesRead, .editMessage, .deleteMessages:
            .write(.messages)
        case .getContact, .listContacts:
            .read(.contacts)
        case .saveContact, .deleteContact, .setContactBlocked:
            .write(.contacts)
        case .listChanges, .watch:
            .read(.changes)
        case .getSceneValues, .listScenes:
            .read(.scenes)
        case .setSceneValues, .removeScene:
            .write(.scenes)
        case .readLog, .getLog, .listLogs:
            .read(.logs)
        case .openLog, .appendLog, .deleteLog:
            .write(.logs)
        }
    }

    var order: CallOrder {
        switch self {
        case .hello, .ping, .getMetrics, .cancel:
            .free
        case .getStatus, .getStatistics, .listKeySlots, .addKeySlot, .removeKeySlot, .changePassphrase,
            .rotateMasterKey, .checkStore, .createBackup, .listBackups, .readBackup, .beginBackupUpload, .writeBackup,
            .verifyBackup, .deleteBackup, .getConversation, .listConversations, .getMessage, .listMessages,
            .getContact, .listContacts, .listChanges, .watch, .getSceneValues, .listScenes,
            .readLog, .getLog, .listLogs,
            .beginBlobExport, .readBlobExport, .beginBlobImport, .writeBlobImport, .finishBlobImport, .endBlobSession:
            .read
        case .getOrCreateConversation, .updateConversation, .markConversationRead, .deleteConversation, .saveMessage,
            .saveMessages, .updateMessageStatus, .markMessagesRead, .editMessage, .deleteMessages, .saveContact,
            .deleteContact, .setContactBlocked, .clearAllData, .compactChanges, .setSceneValues, .removeScene,
            .openLog, .appendLog, .deleteLog:
            .write
        case .initializeStore, .unlock, .lock, .restoreBackup:
            .barrier
        }
    }

    /// Most bytes of the call's own message.
    var callBytesMax: Int {
        switch self {
        case .saveMessages, .setSceneValues, .appendLog:
            .max
        case .saveMessage, .editMessage:
            EngineLimits.messageTextBytesMax + CallLimits.smallCallBytesMax
        case .updateConversation, .saveContact:
            EngineLimits.avatarBytesMax + EngineLimits.notesBytesMax + CallLimits.smallCallBytesMax
        case .updateMessageStatus, .markMessagesRead, .deleteMessages:
            EngineLimits.requestEntitiesMax * CallLimits.idFieldBytesMax + CallLimits.smallCallBytesMax
        case .getSceneValues:
            EngineLimits.pageRowsMax * CallLimits.sceneKeyFieldBytesMax + CallLimits.smallCallBytesMax
        case .writeBlobImport:
            BlobLimits.pieceBytesMax + CallLimits.smallCallBytesMax
        case .writeBackup:
            FrameLimits.backupChunkBytesMax + CallLimits.smallCallBytesMax
        default:
            CallLimits.smallCallBytesMax
        }
    }

    /// Most fields of the call's own message: bounds what a payload of many tiny entries grows to when parsed.
    var callFieldsMax: Int {
        switch self {
        case .saveMessages, .updateMessageStatus, .markMessagesRead, .deleteMessages, .appendLog:
            EngineLimits.requestEntitiesMax + 8
        case .setSceneValues:
            2 * EngineLimits.requestEntitiesMax + 8
        case .getSceneValues:
            EngineLimits.pageRowsMax + 8
        default:
            CallLimits.smallCallFieldsMax
        }
    }

    /// True where an idempotency key means something.
    var isMutation: Bool {
        order == .write
    }
}

/// Bounds of single calls.
enum CallLimits {
    /// Bytes of a call that holds names and numbers only; a secret has at most 4,096 bytes.
    static let smallCallBytesMax = 16 << 10
    /// Fields of a call that holds no list; watch may name each kind.
    static let smallCallFieldsMax = 64
    /// Bytes of one id in a list of ids, with its tag and length.
    static let idFieldBytesMax = EntityID.bytesMax + 3
    /// Bytes of one key in a list of keys, with its tag and length.
    static let sceneKeyFieldBytesMax = SceneKey.bytesMax + 3
    /// Longest wait of a read of a log for something to read.
    static let logWaitMillisecondsMax: UInt32 = 60_000
    /// Bytes of `HelloRequest.client_name`.
    static let clientNameBytesMax = 64
    /// Bytes of a key slot's label.
    static let labelBytesMax = 64
    /// Bytes of a backup's name.
    static let backupNameBytesMax = 128
    /// Long reads of one connection that run at once.
    static let longReadsPerConnectionMax = 4
}
