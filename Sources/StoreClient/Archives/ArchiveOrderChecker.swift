import StoreProtocol

/// Checks the order of records in an archive (proto-docs/ARCHIVE.md), and counts them by kind.
struct ArchiveOrderChecker: Sendable {
    /// The position in the archive, which decides which records may follow.
    private enum Place {
        case start
        case anywhere
        case conversation
        case message(id: String)
        case log
        /// The bytes of a file or content that must still follow.
        case content(bytesLeft: UInt64)
        case ended
    }

    /// The largest number of bytes in a piece.
    static let pieceBytesMax = 256 << 10
    /// The largest number of reactions of one message in an archive of changes. The count begins again after a removal
    /// of the message's reactions.
    static let reactionsMax = 10_000

    private var place = Place.start
    private var isOfChanges = false
    /// The number of reactions to the message at the current position.
    private var reactionCount = 0
    private(set) var counts = ArchiveCounts()

    var hasEnded: Bool {
        if case .ended = place { true } else { false }
    }

    /// Checks and counts the next record.
    ///
    /// - Returns: The fault of the record at this position; `nil` if it may follow.
    mutating func check(_ record: ArchiveRecord) -> String? {
        switch place {
        case .ended: return "a record follows the footer"
        case .content(let bytesLeft): return checkPiece(record, bytesLeft)
        case .start:
            guard record.kind == .header else { return "the first record is not a header" }
            guard let header = record.header else { return "the history id does not have 16 bytes" }
            guard header.formatVersion == ArchiveHeader.formatVersionKnown else {
                return "the version is \(header.formatVersion); this client knows only version "
                    + "\(ArchiveHeader.formatVersionKnown)"
            }
            place = .anywhere
            isOfChanges = header.sinceRevision ?? 0 > 0
            return nil
        case .anywhere, .conversation, .message, .log: break
        }
        if record.wire.hasChangedAtMicroseconds, !isOfChanges, record.kind != .footer {
            return "a full archive has a record that only an archive of changes can have"
        }
        if let fault = placeFault(of: record) {
            return fault
        }
        count(record.kind)
        return nil
    }

    private mutating func checkPiece(_ record: ArchiveRecord, _ bytesLeft: UInt64) -> String? {
        guard case .filePiece(let bytes) = record.wire.record, UInt64(bytes.count) <= bytesLeft else {
            return "a file or a content has too few or too many bytes"
        }
        guard 1...Self.pieceBytesMax ~= bytes.count else {
            return "a piece of a file or a content has \(bytes.count) bytes; it must have 1 to \(Self.pieceBytesMax)"
        }
        let rest = bytesLeft - UInt64(bytes.count)
        place = rest > 0 ? .content(bytesLeft: rest) : .anywhere
        return nil
    }

    /// Sets the position after the record. Returns the fault of a record that cannot be at this position.
    private mutating func placeFault(of record: ArchiveRecord) -> String? {
        switch record.kind {
        case .header: return "a second header"
        case .filePiece: return "a piece belongs to no file or content"
        case .contact, .draft, .sceneValue, .directory: place = .anywhere
        case .conversation: place = .conversation
        case .log: place = .log
        case .file, .content: place = Self.place(beforeBytes: record.contentBytes ?? 0)
        case .message:
            reactionCount = 0
            switch place {
            case .conversation, .message: place = .message(id: record.wire.message.id)
            case .start, .anywhere, .log, .content, .ended: return "a message does not follow its conversation"
            }
        case .reaction:
            guard case .message = place else { return "a reaction does not follow its message" }
            guard !isOfChanges || reactionCount < Self.reactionsMax else {
                return "a message has more than \(Self.reactionsMax) reactions"
            }
            reactionCount += 1
        case .logEntry:
            guard case .log = place else { return "an entry does not follow its log" }
        case .removal: return checkRemoval(of: record.wire.removal)
        case .footer:
            guard record.counts == counts else { return "the number of records differs from the number in the footer" }
            place = .ended
        }
        return nil
    }

    /// Sets the position after a removal. A removal of reactions belongs to the message before it, so more reactions of
    /// that message may follow. After any other removal, no record may follow that belongs to an earlier record, such
    /// as a reaction.
    private mutating func checkRemoval(of removal: WireArchivedRemoval) -> String? {
        guard isOfChanges else { return "a full archive has a record that only an archive of changes can have" }
        guard removal.kind == .reaction else {
            place = .anywhere
            return nil
        }
        guard case .message(let id) = place, id.utf8.elementsEqual(removal.id.utf8) else {
            return "a removal of reactions does not follow its message"
        }
        reactionCount = 0
        return nil
    }

    private static func place(beforeBytes byteCount: UInt64) -> Place {
        byteCount > 0 ? .content(bytesLeft: byteCount) : .anywhere
    }

    private mutating func count(_ kind: ArchiveRecord.Kind) {
        switch kind {
        case .contact: counts.contacts += 1
        case .conversation: counts.conversations += 1
        case .message: counts.messages += 1
        case .reaction: counts.reactions += 1
        case .draft: counts.drafts += 1
        case .sceneValue: counts.sceneValues += 1
        case .log: counts.logs += 1
        case .logEntry: counts.logEntries += 1
        case .directory: counts.directories += 1
        case .file: counts.files += 1
        case .content: counts.contents += 1
        case .removal: counts.removals += 1
        case .header, .filePiece, .footer: break
        }
    }
}
