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
    case commit(Commit)
    case progress(done: UInt64, total: UInt64)
    case statistics(Statistics, databaseBytes: UInt64)

    case conversation(Conversation)
    case conversations(ConversationPage)
    case contact(Contact)
    case contacts(ContactPage)
    case sceneValues(SceneEntryPage)
    case scenes(SceneSummaryPage)
    case log(Log)
    case logs(LogListPage)
    case logEntries(LogPage)
    case appended(ClosedRange<UInt64>, isReplayed: Bool)
    case blob(BlobResult)
    case changes(ChangePage)
    case watchEvent([Change], revision: UInt64)
    case compacted(throughRevision: UInt64)

    case administration(AdministrationAnswer)
}

extension Answer {
    init(_ result: MutationResult) {
        switch result {
        case .commit(let commit): self = .commit(commit)
        case .conversation(let conversation): self = .conversation(conversation)
        case .log(let log): self = .log(log)
        case .appended(let sequences, let isReplayed): self = .appended(sequences, isReplayed: isReplayed)
        case .compacted(let revision): self = .compacted(throughRevision: revision)
        }
    }
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
