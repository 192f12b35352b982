import SQLCipher
import StoreBasics

/// Records of an archive that are restored in one commit, in their order.
package struct RestoreBatch: Sendable {
    var records: [RestoredRecord] = []
    /// Finds out what each would come to, and writes nothing. What depends on records before it counts as added.
    var isDryRun: Bool
    /// Of an archive of changes.
    var isOfChanges = false
    /// Contents whose messages have all come: those that have any need no grace any more.
    var settledContents: [AttachmentDigest] = []

    /// About how many rows it touches.
    var rowCount: Int { records.reduce(settledContents.count) { $0 + $1.thing.rowCount } }
}

/// A thing with what is known beside it.
struct RestoredRecord: Sendable {
    var thing: RestoredThing
    /// About how many it takes.
    var byteCount: Int
    /// In an archive of changes, when the last change of it was committed; `nil`: it is there for what hangs on it.
    var changedAt: Timestamp?
}

/// What an archive holds, with what it hangs on.
enum RestoredThing: Sendable {
    case contact(ArchivedContact)
    case conversation(ArchivedConversation)
    case message(ArchivedMessage, in: SessionID)
    case reaction(ArchivedReaction, to: EntityID)
    case draft(ArchivedDraft)
    case sceneValue(ArchivedSceneValue)
    case log(ArchivedLog)
    case logEntry(ArchivedLogEntry, of: ArchivedLog, LogRun)
    case directory(ArchivedDirectory)
    /// Without its bytes: finds out what it would come to.
    case file(ArchivedFile, RestoredBytes?)
    /// As `file`.
    case content(ArchivedContent, RestoredBytes?)
    case removal(ArchivedRemoval)
    /// Others than these were removed from the message.
    case reactionRemoval([ArchivedReaction], of: EntityID, at: Timestamp)

    var kind: ArchiveKind {
        switch self {
        case .contact: .contact
        case .conversation: .conversation
        case .message: .message
        case .reaction: .reaction
        case .draft: .draft
        case .sceneValue: .sceneValue
        case .log: .log
        case .logEntry: .logEntry
        case .directory: .directory
        case .file: .file
        case .content: .content
        case .removal, .reactionRemoval: .removal
        }
    }

    /// Each attachment has one of its own.
    var rowCount: Int {
        switch self {
        case .message(let message, in: _): 1 + message.attachments.count
        case .draft(let draft): 1 + draft.attachments.count
        default: 1
        }
    }
}

/// Entries of a log that stand in an archive behind each other without a gap.
struct LogRun: Hashable, Sendable {
    /// The numbers of its entries, those after the present one left out.
    var sequences: ClosedRange<UInt64>
    /// The log's first in the archive.
    var isFirst: Bool

    /// That with which the next entry stands.
    func following(_ sequence: UInt64) -> LogRun {
        guard sequence == sequences.upperBound &+ 1 else {
            return LogRun(sequences: sequence...sequence, isFirst: false)
        }
        return LogRun(sequences: sequences.lowerBound...sequence, isFirst: isFirst)
    }
}

/// The bytes of a file, or of a content of attachments, that is restored.
enum RestoredBytes: Sendable {
    case database([UInt8])
    /// Their file in the vault is complete and durable.
    case vault(NewContent)

    var byteCount: UInt64 {
        switch self {
        case .database(let bytes): UInt64(bytes.count)
        case .vault(let content): content.byteCount
        }
    }

    /// Makes their rows under a number.
    func insert(number: Int64, _ connection: Connection) throws(StoreError) {
        switch self {
        case .database(let bytes): try FileContents.insert(bytes, number: number, connection)
        case .vault(let content): try FileContents.insert(content, number: number, connection)
        }
    }
}
