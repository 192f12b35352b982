internal import StoreCrypto
internal import StoreEngine
internal import StoreProtocol

/// A request in the engine's terms: everything that could be wrong with its form has been refused already.
enum Command: Sendable {
    case hello(clientName: String)
    case ping
    case status
    case metrics
    case cancel(requestID: UInt64)
    case getMessage(EntityID)
    case listMessages(MessageQuery)
    case pointRead(PointRead)
    case listRead(ListRead)
    case mutation(Mutation)
    case watch(WatchRequest)
    /// Read a log as soon as there is something to read, or when the time is over.
    case waitForLog(LogQuery, milliseconds: UInt32)
    /// A step of an export or import: it runs on the engine's thread for them.
    case blob(BlobCommand)
    case administration(AdministrationCommand)
}

/// Reads of one entity: short enough for an event loop.
enum PointRead: Sendable, Hashable {
    case conversation(ConversationReference)
    case contact(SessionID)
    /// Of one key.
    case sceneValues(SceneValueQuery)
    case log(LogName)
    case statistics
}

/// Reads whose size the caller chooses: they run on reader threads.
enum ListRead: Sendable, Hashable {
    case conversations(ConversationQuery)
    case contacts(ContactQuery)
    case changes(after: UInt64, limit: Int)
    case sceneValues(SceneValueQuery)
    case scenes(limit: Int, cursor: String?)
    case logEntries(LogQuery)
    case logs(limit: Int, cursor: String?)
    /// With their avatars, which take up to 4 MiB.
    case conversationWithAvatar(ConversationReference)
    case contactWithAvatar(SessionID)
}

/// What a watcher asked for.
struct WatchRequest: Sendable, Hashable {
    /// Replay changes with a greater revision; nil: only what is committed from now on.
    var afterRevision: UInt64?
    var filter: WatchFilter
}

/// Work on the store as a whole. It may take long and runs on a thread of its own.
enum AdministrationCommand: Sendable {
    case initialize(SlotSecretBox, label: String, withRecoveryCode: Bool, lowCost: Bool)
    case unlock(SlotSecretBox)
    case lock
    case listKeySlots
    case addKeySlot(authorizedBy: SlotSecretBox, new: NewSlot, label: String, lowCost: Bool)
    case removeKeySlot(authorizedBy: SlotSecretBox, number: Int)
    case changePassphrase(old: SlotSecretBox, new: SlotSecretBox, lowCost: Bool)
    case rotateMasterKey
    case check
    case createBackup
    case listBackups
    case readBackup(name: String, offset: UInt64, length: Int)
    case beginBackupUpload(bytes: UInt64)
    case writeBackup(name: String, offset: UInt64, data: [UInt8])
    case verifyBackup(name: String, SlotSecretBox?)
    case restoreBackup(name: String, SlotSecretBox?, replaceExisting: Bool)
    case deleteBackup(name: String)

    enum NewSlot: Sendable {
        case given(SlotSecretBox)
        case generateRecoveryCode
    }

    /// True when the command tries a secret against the keyring, so that failures slow the caller down.
    var triesSecret: Bool {
        switch self {
        case .unlock, .addKeySlot, .removeKeySlot, .changePassphrase: true
        case .verifyBackup(_, let secret), .restoreBackup(_, let secret, _): secret != nil
        case .initialize, .lock, .listKeySlots, .rotateMasterKey, .check, .createBackup, .listBackups, .readBackup,
            .beginBackupUpload, .writeBackup, .deleteBackup:
            false
        }
    }
}
