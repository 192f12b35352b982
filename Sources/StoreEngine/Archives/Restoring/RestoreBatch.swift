import SQLCipher
import StoreBasics

/// Records of an archive that are restored together, in their order.
package struct RestoreBatch: Sendable {
    var records: [RestoredRecord] = []
    /// True to determine the outcome of each record without writing. A record that depends on earlier ones counts as
    /// added.
    var isDryRun: Bool
    /// True if the records are from an archive of changes, not from a full archive.
    var isOfChanges = false
    /// Contents whose messages have all been restored. The grace period of such a content ends if any attachment has
    /// the content.
    var contentsEndingGrace: [AttachmentDigest] = []

    /// The approximate number of rows that the batch changes.
    var rowCount: Int { records.reduce(contentsEndingGrace.count) { $0 + $1.thing.rowCount } }
}

/// A thing from an archive, with the size of its record and the time of its last change.
struct RestoredRecord: Sendable {
    var thing: RestoredThing
    /// The approximate number of bytes of the record.
    var byteCount: Int
    /// The time at which the last change of the thing was committed, in an archive of changes. `nil` in a full archive,
    /// and if the thing is included only because another thing depends on it.
    var changedAt: Timestamp?
}

/// A thing from an archive. A message, a reaction and a log entry also have the conversation, message or log to which
/// they belong.
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
    /// A file and its bytes. The bytes are `nil` when only the outcome is determined and nothing is written.
    case file(ArchivedFile, RestoredBytes?)
    /// A content of attachments and its bytes. The bytes are `nil` when only the outcome is determined.
    case content(ArchivedContent, RestoredBytes?)
    case removal(ArchivedRemoval)
    /// The removal of all reactions to a message except the listed ones.
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

    /// The number of rows that the thing needs. Each attachment has a row of its own.
    var rowCount: Int {
        switch self {
        case .message(let message, in: _): 1 + message.attachments.count
        case .draft(let draft): 1 + draft.attachments.count
        default: 1
        }
    }
}

/// Consecutive entries of a log in an archive, without a gap.
struct LogRun: Hashable, Sendable {
    /// The sequences from the first entry to the current one.
    var sequences: ClosedRange<UInt64>
    /// True if the run's first entry is the first entry that the archive contains of the log.
    var isFirst: Bool

    /// Returns this run extended by an entry; if the entry does not follow directly, returns a new run that begins with
    /// it.
    func following(_ sequence: UInt64) -> LogRun {
        guard sequence == sequences.upperBound &+ 1 else {
            return LogRun(sequences: sequence...sequence, isFirst: false)
        }
        return LogRun(sequences: sequences.lowerBound...sequence, isFirst: isFirst)
    }
}

/// The bytes of a restored file or content of attachments.
enum RestoredBytes: Sendable {
    case database([UInt8])
    /// A file in the vault, complete and durable.
    case vault(NewContent)

    var byteCount: UInt64 {
        switch self {
        case .database(let bytes): UInt64(bytes.count)
        case .vault(let content): content.byteCount
        }
    }

    /// Inserts the rows of the content, which gets the number `number` in `file_contents`.
    func insert(number: Int64, _ connection: Connection) throws(StoreError) {
        switch self {
        case .database(let bytes): try FileContents.insert(bytes, number: number, connection)
        case .vault(let content): try FileContents.insert(content, number: number, connection)
        }
    }
}
