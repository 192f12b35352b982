import StoreBasics
import StoreCrypto

/// A part of an archive, for the code that restores it.
enum ArchiveItem {
    case header(ArchiveHeader)
    /// A record. A file or a content has no bytes yet.
    case record(RestoredRecord)
    /// The next bytes of the preceding file or content.
    case filePiece([UInt8], isLast: Bool)
}

/// Reads the bytes of an archive, without its seal, in parts of any size. Checks each record and its position, the
/// digests of contents, and at the end the counts and the digest. The archive is complete when `finish` returns.
///
/// Every error is `.archiveDamaged` with the offset at which the damaged record begins, counted from the start of the
/// bytes without the seal.
struct ArchiveStreamReader: ~Copyable {
    /// The position in the archive, which decides which records may follow, and to which entity they belong.
    private enum Place {
        case start
        case anywhere
        case conversation(SessionID)
        case message(EntityID, in: SessionID)
        case log(ArchivedLog, LogRun?)
        /// Pieces of a file, or of a content of attachments with this digest.
        case pieces(bytesLeft: UInt64, AttachmentDigest?)
        case ended
    }

    private let coding: any ArchiveCoding
    /// True if the footer may lack its digest.
    private let isWithoutDigest: Bool
    private var buffer: [UInt8] = []
    private var start = 0
    /// The offset in the archive of the byte at `start`.
    private(set) var offset: UInt64 = 0
    private var place = Place.start
    private var hasMagic = false
    private var isOfChanges = false
    /// The reactions to the current message. They are collected only in an archive of changes, where a removal of all
    /// other reactions may follow them.
    private var reactions: [ArchivedReaction] = []
    private var digest: ContentDigest? = ContentDigest()
    /// The digest of the received pieces of a content of attachments.
    private var pieceDigest: ContentDigest?
    private(set) var counts = ArchiveCounts()
    /// The digest of a complete archive, which identifies its content.
    private(set) var contentID: [UInt8]?

    init(_ coding: any ArchiveCoding, isWithoutDigest: Bool = false) {
        self.coding = coding
        self.isWithoutDigest = isWithoutDigest
    }

    mutating func feed(_ bytes: [UInt8]) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// Returns the next item; `nil` if more bytes are needed, or after the footer.
    mutating func next() throws(StoreError) -> ArchiveItem? {
        try readMagic()
        if case .ended = place {
            guard start == buffer.count else { throw damaged("bytes follow the end of the archive") }
            return nil
        }
        guard hasMagic, let frame = try nextFrame() else { return nil }
        let entry: ArchiveEntry
        do throws(StoreError) {
            entry = try coding.decode(buffer[(frame.lowerBound + ArchiveForm.lengthBytes)..<frame.upperBound])
            try ArchiveBounds.check(entry.record)
        } catch {
            throw damaged("a record is not valid: " + error.message)
        }
        if case .footer(let footer) = entry.record {
            try end(footer, frame)
            return try next()
        }
        let item = try placed(entry)
        update(with: frame)
        if let kind = entry.record.kind {
            counts[kind] += 1
        }
        return item
    }

    /// Checks that the archive is complete when its bytes have ended.
    func finish() throws(StoreError) {
        guard case .ended = place else {
            throw Self.damaged("the archive ends before the footer", at: offset + UInt64(buffer.count - start))
        }
    }

    private mutating func readMagic() throws(StoreError) {
        guard !hasMagic else { return }
        let magic = ArchiveForm.magic
        for (index, byte) in buffer.prefix(magic.count).enumerated() where byte != magic[index] {
            throw Self.damaged("the first bytes are not the bytes of an archive of this version", at: UInt64(index))
        }
        guard buffer.count >= magic.count else { return }
        hasMagic = true
        update(with: 0..<magic.count)
    }

    private func nextFrame() throws(StoreError) -> Range<Int>? {
        guard buffer.count - start >= ArchiveForm.lengthBytes else { return nil }
        let length = buffer[start..<(start + ArchiveForm.lengthBytes)].reduce(0) { $0 << 8 | Int($1) }
        guard 1...ArchiveLimits.recordBytesMax ~= length else {
            throw damaged("a record has \(length) bytes; it must have 1 to \(ArchiveLimits.recordBytesMax)")
        }
        let end = start + ArchiveForm.lengthBytes + length
        return end <= buffer.count ? start..<end : nil
    }

    /// Advances past bytes of the archive, and adds them to the digest.
    private mutating func update(with range: Range<Int>) {
        if var digest = digest.take() {
            digest.update(Array(buffer[range]))
            self.digest = consume digest
        }
        start = range.upperBound
        offset += UInt64(range.count)
    }

    private mutating func end(_ footer: ArchiveFooter, _ frame: Range<Int>) throws(StoreError) {
        switch place {
        case .start, .pieces: throw damaged("the footer is in the wrong place")
        case .anywhere, .conversation, .message, .log, .ended: break
        }
        guard let digest = digest.take(), footer.counts == counts else {
            throw damaged("the number of records differs from the number in the footer")
        }
        let found = digest.finish()
        guard found == footer.digest || (isWithoutDigest && footer.digest.isEmpty) else {
            throw damaged("the bytes of the archive do not match the digest in the footer")
        }
        contentID = found
        place = .ended
        start = frame.upperBound
        offset += UInt64(frame.count)
    }

    // MARK: Positions of records

    /// Checks that a record may follow the previous ones, and returns its item. A message, a reaction and a log entry
    /// are returned with the conversation, message or log to which they belong.
    private mutating func placed(_ entry: ArchiveEntry) throws(StoreError) -> ArchiveItem {
        switch place {
        case .start:
            guard case .header(let header) = entry.record else { throw damaged("the first record is not a header") }
            place = .anywhere
            isOfChanges = header.isOfChanges
            return .header(header)
        case .pieces(let bytesLeft, let digest):
            return try piece(entry.record, bytesLeft, digest)
        case .anywhere, .conversation, .message, .log, .ended:
            guard entry.changedAt == nil || isOfChanges else {
                throw damaged("a full archive has a record that only an archive of changes can have")
            }
            return .record(
                RestoredRecord(
                    thing: try thing(entry.record), byteCount: entry.record.byteCount, changedAt: entry.changedAt))
        }
    }

    private mutating func thing(_ record: ArchiveRecord) throws(StoreError) -> RestoredThing {
        switch record {
        case .message(let message):
            let conversation: SessionID
            switch place {
            case .conversation(let session), .message(_, let session): conversation = session
            case .start, .anywhere, .log, .pieces, .ended: throw misplaced("a message", "conversation")
            }
            place = .message(message.id, in: conversation)
            reactions = []
            return .message(message, in: conversation)
        case .reaction(let reaction):
            guard case .message(let message, _) = place else { throw misplaced("a reaction", "message") }
            if isOfChanges {
                guard reactions.count < EngineLimits.messageReactionsMax else {
                    throw damaged("a message has more than \(EngineLimits.messageReactionsMax) reactions")
                }
                reactions.append(reaction)
            }
            return .reaction(reaction, to: message)
        case .logEntry(let entry):
            guard case .log(let log, let before) = place else { throw misplaced("an entry", "log") }
            let run =
                before?.following(entry.sequence) ?? LogRun(sequences: entry.sequence...entry.sequence, isFirst: true)
            place = .log(log, run)
            return .logEntry(entry, of: log, run)
        case .conversation(let conversation):
            place = .conversation(conversation.sessionID)
            return .conversation(conversation)
        case .log(let log):
            place = .log(log, nil)
            return .log(log)
        case .file(let file):
            place = file.byteCount > 0 ? .pieces(bytesLeft: file.byteCount, nil) : .anywhere
            return .file(file, nil)
        case .content(let content):
            try begin(content)
            return .content(content, nil)
        case .contact(let contact):
            place = .anywhere
            return .contact(contact)
        case .draft(let draft):
            place = .anywhere
            return .draft(draft)
        case .sceneValue(let value):
            place = .anywhere
            return .sceneValue(value)
        case .directory(let directory):
            place = .anywhere
            return .directory(directory)
        case .removal(let removal): return try thing(removal)
        case .header, .filePiece, .footer:
            throw damaged("a record is in the wrong place")
        }
    }

    private mutating func thing(_ removal: ArchivedRemoval) throws(StoreError) -> RestoredThing {
        guard isOfChanges else { throw damaged("a full archive has a record that only an archive of changes can have") }
        guard case .reactions(let id) = removal.subject else {
            place = .anywhere
            return .removal(removal)
        }
        guard case .message(id, _) = place else { throw misplaced("a removal of reactions", "message with that id") }
        defer { reactions = [] }
        return .reactionRemoval(reactions, of: id, at: removal.removedAt)
    }

    private mutating func begin(_ content: ArchivedContent) throws(StoreError) {
        pieceDigest = ContentDigest()
        place = .pieces(bytesLeft: content.byteCount, content.digest)
        if content.byteCount == 0 {
            try endPieces(content.digest)
        }
    }

    private mutating func piece(
        _ record: ArchiveRecord, _ bytesLeft: UInt64, _ digest: AttachmentDigest?
    ) throws(StoreError) -> ArchiveItem {
        guard case .filePiece(let bytes) = record, UInt64(bytes.count) <= bytesLeft else {
            throw damaged("a file or a content has too few or too many bytes")
        }
        if var current = pieceDigest.take() {
            current.update(bytes)
            pieceDigest = consume current
        }
        let rest = bytesLeft - UInt64(bytes.count)
        place = .pieces(bytesLeft: rest, digest)
        if rest == 0 {
            try endPieces(digest)
        }
        return .filePiece(bytes, isLast: rest == 0)
    }

    private mutating func endPieces(_ digest: AttachmentDigest?) throws(StoreError) {
        place = .anywhere
        let found = pieceDigest.take()?.finish()
        guard digest?.bytes == found else { throw damaged("the content of an attachment does not match its digest") }
    }

    private func misplaced(_ part: String, _ whole: String) -> StoreError {
        damaged("no \(whole) comes before \(part)")
    }

    /// Returns the error for damage at the start of the next record.
    private func damaged(_ cause: String) -> StoreError {
        Self.damaged(cause, at: offset)
    }

    private static func damaged(_ cause: String, at offset: UInt64) -> StoreError {
        StoreError(.archiveDamaged, "the archive is damaged: \(cause) (byte \(offset))")
    }
}
