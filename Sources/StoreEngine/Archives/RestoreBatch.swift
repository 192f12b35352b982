/// Records of an archive that are restored in one commit, in their order.
package struct RestoreBatch: Sendable {
    var records: [RestoredRecord] = []
    /// Finds out what each would come to, and writes nothing. What depends on records before it counts as added.
    var isDryRun: Bool
}

/// A record with what it hangs on.
enum RestoredRecord: Sendable {
    case contact(ArchivedContact)
    case conversation(ArchivedConversation)
    case message(ArchivedMessage, in: SessionID)
    case reaction(ArchivedReaction, to: EntityID)
    case draft(ArchivedDraft)
    case sceneValue(ArchivedSceneValue)
    case log(ArchivedLog)
    case logEntry(ArchivedLogEntry, of: ArchivedLog)
    case directory(ArchivedDirectory)
    /// Without a content only in a dry run.
    case file(ArchivedFile, RestoredContent?)

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
        }
    }
}

/// The content of a file that is restored.
enum RestoredContent: Sendable {
    case database([UInt8])
    /// Its file in the vault is complete and durable.
    case vault(NewContent)
}
