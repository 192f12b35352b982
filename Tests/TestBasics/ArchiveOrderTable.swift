/// A record of an archive, as far as its place matters.
package enum ArchivePart: Hashable, Sendable, CaseIterable {
    case header
    case contact
    /// One that has the time of a change.
    case changedContact
    case conversation
    case message
    case reaction
    case draft
    case sceneValue
    case log
    case logEntry
    case directory
    case emptyFile
    /// With one byte, which a piece gives.
    case file
    case content
    case piece
    case removal
    /// Of the message that `message` is.
    case reactionRemoval
    case reactionRemovalOfOther
    case footer
}

/// Which records may follow which (proto-docs/ARCHIVE.md), for whoever reads them: the engine and the client take and
/// refuse the same.
package struct ArchiveOrderCase: Sendable {
    /// All but the last may stand where they do.
    package let parts: [ArchivePart]
    package let isOfChanges: Bool
    /// The last of them.
    package let isAllowed: Bool

    package static let all: [ArchiveOrderCase] =
        places.flatMap { place in
            [false, true].flatMap { isOfChanges -> [ArchiveOrderCase] in
                guard isOfChanges || place.before.allSatisfy({ !ofChanges.contains($0) }) else { return [] }
                return ArchivePart.allCases.map { part in
                    let isAllowed = place.allowed.contains(part) && (isOfChanges || !ofChanges.contains(part))
                    return ArchiveOrderCase(
                        parts: place.before + [part], isOfChanges: isOfChanges, isAllowed: isAllowed)
                }
            }
        }

    private static let ofChanges: Set<ArchivePart> = [
        .changedContact, .removal, .reactionRemoval, .reactionRemovalOfOther,
    ]
    /// What hangs on nothing.
    private static let free: Set<ArchivePart> = [
        .contact, .changedContact, .conversation, .draft, .sceneValue, .log, .directory, .emptyFile, .file, .content,
        .removal, .footer,
    ]
    private static let ofMessage = free.union([.message, .reaction, .reactionRemoval])

    private static let places: [(before: [ArchivePart], allowed: Set<ArchivePart>)] = [
        ([], [.header]),
        ([.header], free),
        ([.header, .conversation], free.union([.message])),
        ([.header, .conversation, .message], ofMessage),
        ([.header, .conversation, .message, .message], ofMessage),
        ([.header, .conversation, .message, .reaction], ofMessage),
        ([.header, .conversation, .message, .reaction, .reactionRemoval], ofMessage),
        ([.header, .conversation, .message, .removal], free),
        ([.header, .conversation, .message, .contact], free),
        ([.header, .conversation, .removal], free),
        ([.header, .log], free.union([.logEntry])),
        ([.header, .log, .logEntry], free.union([.logEntry])),
        ([.header, .log, .logEntry, .removal], free),
        ([.header, .log, .directory], free),
        ([.header, .emptyFile], free),
        ([.header, .file], [.piece]),
        ([.header, .file, .piece], free),
        ([.header, .content], [.piece]),
        ([.header, .conversation, .message, .content, .piece], free),
        ([.header, .footer], []),
    ]
}
