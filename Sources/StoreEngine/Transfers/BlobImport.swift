import Interchange
import StoreBasics
import StoreCrypto

/// One import: parts of a file arrive, and batches of messages are passed to the writer. Used by one thread only, which
/// waits for the commits.
final class BlobImport: ReceivingSession {
    /// Saves messages. Returns when the batch is on disk.
    typealias Save = ([NewMessage], _ byteCount: Int) throws(StoreError) -> Commit

    /// The conversation into which the messages are imported, and the ids that they get.
    struct Destination {
        var conversation: ConversationReference
        var sessionID: String
        /// The ids of the imported messages; `nil` in a dry run without an import id.
        var ids: BlobMessageIDs?
    }

    private let destination: Destination
    private let save: Save
    private var decoder: BlobDecoder
    private var input: SealedInput
    private var digest: ContentDigest?
    private var batch: [NewMessage] = []
    private var batchBytes = 0
    private var report: BlobImportReport

    init(
        _ request: BlobImportRequest, secret: consuming SlotSecret?, to destination: Destination, save: @escaping Save
    ) {
        self.destination = destination
        self.save = save
        let isSealed = secret != nil
        // For a sealed file, only the size including the seal is known.
        decoder = BlobDecoder(fileBytes: isSealed ? nil : request.totalBytes)
        report = BlobImportReport(isDryRun: request.isDryRun, isSealed: isSealed)
        digest = ContentDigest()
        input = SealedInput(secret: secret, .messages, announcedBytes: request.totalBytes)
    }

    var triesPassphrase: Bool { input.triesPassphrase }

    /// Accepts a part of the file.
    ///
    /// - Returns: The number of bytes of the file received so far.
    /// - Throws: `.blobDamaged` and `.blobTimestampOutOfRange`, whose texts name the byte of the fault;
    ///   `.blobSecretWrong`, `.invalidArgument` for a part out of order, and errors of saving.
    func write(_ data: [UInt8], at offset: UInt64) throws(StoreError) -> UInt64 {
        var content: [UInt8] = []
        let received = try input.accept(data, at: offset, to: &content)
        try process(content)
        return received
    }

    /// Ends the file, and returns the report.
    ///
    /// - Throws: `.blobDamaged` if the file is not complete or does not have the announced length; errors of saving.
    func finish() throws(StoreError) -> BlobImportReport {
        var content: [UInt8] = []
        try input.finish(to: &content)
        try process(content)
        try decoded { () throws(InterchangeError) in try decoder.finish() }
        try saveBatch()
        report.contentBytes = decoder.offset
        if let digest = digest.take() {
            report.contentID = Hexadecimal.encode(digest.finish())
        }
        return report
    }

    private func process(_ content: [UInt8]) throws(StoreError) {
        digest?.update(content)
        decoder.feed(content)
        while let located = try decoded({ () throws(InterchangeError) in try decoder.next() }) {
            try process(located)
        }
    }

    private func process(_ located: LocatedBlobMessage) throws(StoreError) {
        let id = destination.ids?.id(ofMessage: report.messageCount)
        guard
            let message = located.message.newMessage(
                id: id, in: destination.conversation, sessionID: destination.sessionID)
        else {
            throw StoreError(
                .blobTimestampOutOfRange,
                "a message's time is outside the range that the store supports (byte \(located.offset))")
        }
        report.messageCount += 1
        if let timestamp = message.timestamp {
            report.oldest = min(report.oldest ?? timestamp, timestamp)
            report.newest = max(report.newest ?? timestamp, timestamp)
        }
        guard !report.isDryRun else { return }
        batch.append(message)
        batchBytes += message.text.utf8.count + Self.messageOverheadBytes
        if batch.count >= EngineLimits.requestEntitiesMax || batchBytes >= BlobLimits.importBatchBytesMax {
            try saveBatch()
        }
    }

    private func saveBatch() throws(StoreError) {
        guard !batch.isEmpty else { return }
        let commit = try save(batch, batchBytes)
        report.createdCount += commit.createdCount
        report.updatedCount += commit.updatedCount
        batch.removeAll(keepingCapacity: true)
        batchBytes = 0
    }

    private func decoded<Value>(_ body: () throws(InterchangeError) -> Value) throws(StoreError) -> Value {
        do throws(InterchangeError) {
            return try body()
        } catch {
            throw StoreError(.blobDamaged, error.description)
        }
    }

    /// The approximate memory of a message besides its text.
    private static let messageOverheadBytes = 256
}

/// Converts between messages of the store and messages of a blob file.
extension BlobMessage {
    /// Creates the message for a file from a message of the store. Its time is rounded down to milliseconds.
    init(text: String, isOutgoing: Bool, attachmentType: String?, timestamp: Timestamp) {
        self.init(
            text: text, isSent: isOutgoing, type: BlobMessageType(text: text, attachmentType: attachmentType),
            timestampMilliseconds: timestamp.microseconds.flooredQuotient(1_000))
    }

    /// Returns the message in the form in which an import saves it. It is marked as read, because it is not new.
    ///
    /// - Returns: `nil` if its time is out of the store's range.
    func newMessage(
        id: EntityID?, in conversation: ConversationReference, sessionID: String
    ) -> NewMessage? {
        let (microseconds, isOverflowing) = timestampMilliseconds.multipliedReportingOverflow(by: 1_000)
        guard !isOverflowing else { return nil }
        return NewMessage(
            id: id, conversation: conversation, text: text, senderSessionID: isSent ? "" : sessionID,
            recipientSessionID: isSent ? sessionID : "", timestamp: Timestamp(microseconds: microseconds),
            status: isSent ? .sent : .delivered, isOutgoing: isSent, isRead: true,
            attachmentType: type.attachmentType(forText: text))
    }
}

/// The ids of imported messages. An id depends only on the import id, the conversation's session id and the position of
/// the message in the file. Ids increase with the position, so that messages with equal timestamps keep the order of
/// the file.
///
/// An id is a UUIDv8 (RFC 9562, section 5.8) of 78 bits of BLAKE2b over the import id and the session id, and 44 bits
/// for the position.
struct BlobMessageIDs {
    private let digest: [UInt8]

    /// Requires that neither id contains a NUL, which separates the ids in the digest.
    init(importID: String, sessionID: String) {
        var digest = ContentDigest()
        digest.update(Array("ghoststore blob messages 2\0\(sessionID)\0\(importID)\0".utf8))
        self.digest = digest.finish()
    }

    func id(ofMessage index: Int) -> EntityID {
        let place = UInt64(index)
        let high = Self.word(digest[0..<6]) << 16 | 0x8000 | (place >> 32 & 0xfff)
        let low = 0x8000_0000_0000_0000 | (place & 0xffff_ffff) << 30 | Self.word(digest[6..<10]) & 0x3fff_ffff
        return EntityID(trusted: UUIDWords(high: high, low: low).description)
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
