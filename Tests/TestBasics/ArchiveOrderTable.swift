/// A kind of record in an archive, as far as the rules for the order of records distinguish it.
package enum ArchivePart: Hashable, Sendable, CaseIterable {
    case header
    case contact
    /// A contact with the time of its last change.
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
    /// A file of one byte, whose content follows in one piece.
    case file
    case content
    case piece
    case removal
    /// The removal of a reaction to the message that `message` stands for.
    case reactionRemoval
    case reactionRemovalOfOther
    case footer
}

/// A sequence of records and whether it is a valid archive, by the order that proto-docs/ARCHIVE.md defines. The engine
/// and the client have readers of their own; the tests of both use these cases, so that both accept and reject the same
/// sequences.
package struct ArchiveOrderCase: Sendable {
    /// The records. All before the last one are in a valid order, so the verdict is about the last one.
    package let parts: [ArchivePart]
    package let isOfChanges: Bool
    /// True if the last record may follow the others.
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
    /// Records that may follow any complete record, because they do not depend on the record before them.
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
