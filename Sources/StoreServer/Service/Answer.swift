internal import StoreCrypto
internal import StoreEngine

/// A result in the engine's terms, before it is encoded.
enum Answer: Sendable {
    case hello(uid: UInt32)
    case pong
    case status(StatusReport)
    case metrics(String)
    case cancelled
    case failure(RequestFailure)
    case committed(Receipt)
    case progress(done: UInt64, total: UInt64)
    case statistics(Statistics, databaseBytes: UInt64)

    case conversation(Conversation)
    case conversations(ConversationPage)
    case contact(Contact)
    case contacts(ContactPage)
    case sceneValues(SceneEntryPage)
    case scenes(SceneSummaryPage)
    case log(LogInfo)
    case logs(LogListPage)
    case logEntries(LogPage)
    /// The receipt's only id is the sequence number of the first message.
    case appended(Receipt)
    case blob(BlobResult)
    case changes(ChangePage)
    case watchEvent([Change], revision: UInt64)
    case compacted(throughRevision: UInt64)

    case administration(AdministrationAnswer)
}

/// Results of administration.
enum AdministrationAnswer: Sendable {
    case initialized
    case unlocked(slot: Int)
    case locked
    case keySlots([KeySlotInfo])
    case keySlotAdded(slot: Int)
    case keySlotRemoved
    case passphraseChanged(slot: Int)
    case masterKeyRotated(generation: UInt64)
    case checked(CheckReport)
    case backup(BackupInfo)
    case backups([BackupInfo])
    case backupData([UInt8], wholeBytes: UInt64)
    case uploadBegun(name: String)
    case uploadContinued(bytesReceived: UInt64)
    case backupVerified(BackupReport)
    case restored(Statistics)
    case backupDeleted
}
