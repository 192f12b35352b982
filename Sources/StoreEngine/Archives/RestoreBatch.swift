import StoreBasics

/// Records of an archive that are restored in one commit, in their order.
package struct RestoreBatch: Sendable {
    var records: [RestoredRecord] = []
    /// Finds out what each would come to, and writes nothing. What depends on records before it counts as added.
    var isDryRun: Bool
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
    case logEntry(ArchivedLogEntry, of: ArchivedLog)
    case directory(ArchivedDirectory)
    /// Without its bytes: finds out what it would come to.
    case file(ArchivedFile, RestoredBytes?)
    /// As `file`.
    case content(ArchivedContent, RestoredBytes?)

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
        }
    }
}

/// The bytes of a file, or of a content of attachments, that is restored.
enum RestoredBytes: Sendable {
    case database([UInt8])
    /// Their file in the vault is complete and durable.
    case vault(NewContent)
}
