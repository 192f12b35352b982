/// The kinds of things in an archive, in the order of the fields of `ArchiveCounts` in archives.proto.
package enum ArchiveKind: Hashable, Sendable, CaseIterable {
    case contact
    case conversation
    case message
    case reaction
    case draft
    case sceneValue
    case log
    case logEntry
    case directory
    case file
    /// A content of attachments.
    case content
    case removal
}

/// The number of things of each kind, such as contacts, conversations and messages.
package struct ArchiveCounts: Hashable, Sendable {
    private var counts: [ArchiveKind: UInt64] = [:]

    package init() {}

    package subscript(kind: ArchiveKind) -> UInt64 {
        get { counts[kind] ?? 0 }
        set { counts[kind] = newValue == 0 ? nil : newValue }
    }
}

/// The effect that restoring one record has on the store.
package enum RestoreOutcome: Hashable, Sendable, CaseIterable {
    /// The store did not have the thing, and the thing was created.
    case added
    /// The store was changed: a newer version replaced the thing or was merged with it, or a removal deleted it.
    case updated
    /// The store was not changed, although it differs from the record: its own state is newer, or prevents restoring
    /// the record, such as a file at the path of a directory.
    case kept
    /// The store already had the same state.
    case equal
}

/// The number of records of each kind with each outcome.
package struct RestoreTally: Hashable, Sendable {
    package var added = ArchiveCounts()
    package var updated = ArchiveCounts()
    package var kept = ArchiveCounts()
    package var equal = ArchiveCounts()

    package init() {}

    package subscript(outcome: RestoreOutcome) -> ArchiveCounts {
        get {
            switch outcome {
            case .added: added
            case .updated: updated
            case .kept: kept
            case .equal: equal
            }
        }
        set {
            switch outcome {
            case .added: added = newValue
            case .updated: updated = newValue
            case .kept: kept = newValue
            case .equal: equal = newValue
            }
        }
    }

    mutating func increment(_ outcome: RestoreOutcome, _ kind: ArchiveKind, count: UInt64 = 1) {
        self[outcome][kind] += count
    }

    mutating func add(_ other: RestoreTally) {
        for outcome in RestoreOutcome.allCases {
            for kind in ArchiveKind.allCases {
                increment(outcome, kind, count: other[outcome][kind])
            }
        }
    }
}

extension ArchiveRecord {
    /// The kind of thing that the record contains; `nil` for the header, the footer and pieces of files.
    var kind: ArchiveKind? {
        switch self {
        case .header, .filePiece, .footer: nil
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
        case .removal: .removal
        }
    }

    /// The approximate number of bytes of the record.
    var byteCount: Int {
        let content =
            switch self {
            case .header, .footer, .reaction, .log, .content, .removal: 0
            case .contact(let contact):
                (contact.avatar?.count ?? 0) + (contact.notes?.utf8.count ?? 0) + (contact.metadata?.bytes.count ?? 0)
            case .conversation(let conversation):
                (conversation.avatar?.count ?? 0) + (conversation.metadata?.bytes.count ?? 0)
                    + (conversation.members ?? []).reduce(0) { $0 + $1.name.utf8.count + Self.overheadBytes }
            case .message(let message):
                message.text.utf8.count + message.attachments.byteCount + (message.metadata?.bytes.count ?? 0)
            case .draft(let draft): draft.content.text.utf8.count + draft.attachments.byteCount
            case .sceneValue(let value): value.value.count
            case .logEntry(let entry): entry.data.count + (entry.metadata?.bytes.count ?? 0)
            case .directory(let directory): directory.path.text.utf8.count
            case .file(let file): file.path.text.utf8.count
            case .filePiece(let bytes): bytes.count
            }
        return content + Self.overheadBytes
    }

    private static let overheadBytes = 256
}

extension [NewAttachment] {
    /// The approximate number of bytes of the attachments, without their contents.
    fileprivate var byteCount: Int {
        reduce(0) {
            $0 + $1.name.utf8.count + $1.thumbnail.count + ($1.source?.utf8.count ?? 0)
                + ($1.metadata?.bytes.count ?? 0)
        }
    }
}
