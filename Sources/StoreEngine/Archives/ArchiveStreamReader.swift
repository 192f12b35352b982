import StoreBasics
import StoreCrypto

/// A record with what it hangs on, as an archive gives it to whoever restores it.
enum ArchiveItem {
    case header(ArchiveHeader)
    case contact(ArchivedContact)
    case conversation(ArchivedConversation)
    case message(ArchivedMessage, in: SessionID)
    case reaction(ArchivedReaction, to: EntityID)
    case draft(ArchivedDraft)
    case sceneValue(ArchivedSceneValue)
    case log(ArchivedLog)
    case logEntry(ArchivedLogEntry, of: ArchivedLog)
    case directory(ArchivedDirectory)
    case file(ArchivedFile)
    /// The next bytes of the file before it.
    case filePiece([UInt8], isLast: Bool)
}

/// Reads the bytes of an archive, without what seals them, in pieces of any size: checks each record, its place among
/// the others, and at the end the counts and the digest. That the archive is whole is known when `finish` returns.
///
/// Every error is `.archiveDamaged` and names the byte where the record begins, counted from the start of these bytes.
struct ArchiveStreamReader: ~Copyable {
    /// What the next record may hang on.
    private enum Place {
        case start
        case anywhere
        case conversation(SessionID)
        case message(EntityID, in: SessionID)
        case log(ArchivedLog)
        case file(bytesLeft: UInt64)
        case ended
    }

    private let coding: any ArchiveCoding
    private var buffer: [UInt8] = []
    private var start = 0
    /// Of the byte at `start`.
    private(set) var offset: UInt64 = 0
    private var place = Place.start
    private var hasMagic = false
    private var digest: ContentDigest? = ContentDigest()
    private(set) var counts = ArchiveCounts()
    /// Of a whole archive: tells it from every other.
    private(set) var contentID: [UInt8]?

    init(_ coding: any ArchiveCoding) {
        self.coding = coding
    }

    mutating func feed(_ bytes: [UInt8]) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// `nil`: more bytes are needed, or the footer has been met.
    mutating func next() throws(StoreError) -> ArchiveItem? {
        try readMagic()
        if case .ended = place {
            guard start == buffer.count else { throw Self.damaged("bytes follow its end", at: offset) }
            return nil
        }
        guard hasMagic, let frame = try nextFrame() else { return nil }
        let record: ArchiveRecord
        do throws(StoreError) {
            record = try coding.decode(buffer[(frame.lowerBound + ArchiveForm.lengthBytes)..<frame.upperBound])
            try ArchiveBounds.check(record)
        } catch {
            throw Self.damaged("a record cannot be: " + error.message, at: offset)
        }
        if case .footer(let footer) = record {
            try end(footer, frame)
            return try next()
        }
        let item = try placed(record)
        update(with: frame)
        if let kind = record.kind {
            counts[kind] += 1
        }
        return item
    }

    /// Says that the bytes have ended.
    func finish() throws(StoreError) {
        guard case .ended = place else {
            throw Self.damaged("it ends before its footer", at: offset + UInt64(buffer.count - start))
        }
    }

    private mutating func readMagic() throws(StoreError) {
        guard !hasMagic else { return }
        let magic = ArchiveForm.magic
        for (index, byte) in buffer.prefix(magic.count).enumerated() where byte != magic[index] {
            throw Self.damaged("it does not begin as an archive of this version does", at: UInt64(index))
        }
        guard buffer.count >= magic.count else { return }
        hasMagic = true
        update(with: 0..<magic.count)
    }

    private func nextFrame() throws(StoreError) -> Range<Int>? {
        guard buffer.count - start >= ArchiveForm.lengthBytes else { return nil }
        let length = buffer[start..<(start + ArchiveForm.lengthBytes)].reduce(0) { $0 << 8 | Int($1) }
        guard 1...ArchiveLimits.recordBytesMax ~= length else {
            throw Self.damaged("a record has \(length) bytes", at: offset)
        }
        let end = start + ArchiveForm.lengthBytes + length
        return end <= buffer.count ? start..<end : nil
    }

    /// Goes behind bytes that belong to the archive.
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
        case .start, .file: throw Self.damaged("its footer stands where it cannot", at: offset)
        case .anywhere, .conversation, .message, .log, .ended: break
        }
        guard let digest = digest.take(), footer.counts == counts else {
            throw Self.damaged("it has not as many records as its footer counts", at: offset)
        }
        let found = digest.finish()
        guard found == footer.digest else {
            throw Self.damaged("its bytes are not those that its footer was made of", at: offset)
        }
        contentID = found
        place = .ended
        start = frame.upperBound
        offset += UInt64(frame.count)
    }

    /// The record with what it hangs on.
    private mutating func placed(_ record: ArchiveRecord) throws(StoreError) -> ArchiveItem {
        if case .file(let bytesLeft) = place {
            guard case .filePiece(let bytes) = record, UInt64(bytes.count) <= bytesLeft else {
                throw Self.damaged("a file lacks a part of its content, or has too much", at: offset)
            }
            let rest = bytesLeft - UInt64(bytes.count)
            place = rest > 0 ? .file(bytesLeft: rest) : .anywhere
            return .filePiece(bytes, isLast: rest == 0)
        }
        if case .header(let header) = record, case .start = place {
            place = .anywhere
            return .header(header)
        }
        if case .start = place {
            throw Self.damaged("its first record is no header", at: offset)
        }
        switch record {
        case .message(let message):
            return try placed(message)
        case .reaction(let reaction):
            guard case .message(let message, _) = place else { throw misplaced("reaction", "message") }
            return .reaction(reaction, to: message)
        case .logEntry(let entry):
            guard case .log(let log) = place else { throw misplaced("entry", "log") }
            return .logEntry(entry, of: log)
        case .conversation(let conversation):
            place = .conversation(conversation.sessionID)
            return .conversation(conversation)
        case .log(let log):
            place = .log(log)
            return .log(log)
        case .file(let file):
            place = file.byteCount > 0 ? .file(bytesLeft: file.byteCount) : .anywhere
            return .file(file)
        case .contact, .draft, .sceneValue, .directory:
            return try independent(record)
        case .header, .filePiece, .footer:
            throw Self.damaged("a record stands where it cannot", at: offset)
        }
    }

    private mutating func placed(_ message: ArchivedMessage) throws(StoreError) -> ArchiveItem {
        let conversation: SessionID
        switch place {
        case .conversation(let session), .message(_, let session): conversation = session
        case .start, .anywhere, .log, .file, .ended: throw misplaced("message", "conversation")
        }
        place = .message(message.id, in: conversation)
        return .message(message, in: conversation)
    }

    private mutating func independent(_ record: ArchiveRecord) throws(StoreError) -> ArchiveItem {
        place = .anywhere
        switch record {
        case .contact(let contact): return .contact(contact)
        case .draft(let draft): return .draft(draft)
        case .sceneValue(let value): return .sceneValue(value)
        case .directory(let directory): return .directory(directory)
        case .header, .conversation, .message, .reaction, .log, .logEntry, .file, .filePiece, .footer:
            throw Self.damaged("a record stands where it cannot", at: offset)
        }
    }

    private func misplaced(_ part: String, _ whole: String) -> StoreError {
        Self.damaged("no \(whole) comes before \(part == "entry" ? "an" : "a") \(part)", at: offset)
    }

    private static func damaged(_ cause: String, at offset: UInt64) -> StoreError {
        StoreError(.archiveDamaged, "the archive is damaged: \(cause) (byte \(offset))")
    }
}
