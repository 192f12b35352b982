import Interchange
import SQLCipher
import StoreBasics
import StoreCrypto

/// One export: a read snapshot on a connection of its own, from which parts of the file are made when they are
/// requested. Used by one thread only.
final class BlobExport {
    let messageCount: Int
    /// The bytes of the whole file.
    let totalBytes: UInt64
    private let reader: StoreReader
    private let conversation: Int64
    private var query = MessageQuery(order: .oldestFirst)
    private var encoder: BlobEncoder
    private var output: SealedOutput

    /// - Throws: `.conversationNotFound`, `.invalidArgument` for more messages than a file can contain.
    init(_ request: BlobExportRequest, reader: StoreReader, allowsLowCost: Bool) throws(StoreError) {
        self.reader = reader
        query.filter = request.filter
        let size: BlobExportSize
        do throws(StoreError) {
            (conversation, size) = try BlobExportRows.begin(request.conversation, query, reader)
            guard size.messageCount <= BlobLayout.messagesMax else {
                throw .invalidArgument(
                    """
                    a message file has at most \(BlobLayout.messagesMax) messages; export shorter periods of time
                    """)
            }
            output = try SealedOutput(request.sealing, .messages, allowsLowCost: allowsLowCost)
        } catch {
            reader.close()
            throw error
        }
        messageCount = size.messageCount
        var start: [UInt8] = []
        encoder = BlobEncoder(messageCount: size.messageCount, to: &start)
        totalBytes =
            output.isSealed
            ? SealedFileLimits.sealedBytes(contentBytes: size.contentBytes, headerBytes: output.headerByteCount)
            : size.contentBytes
        output.append(start)
    }

    deinit {
        // Ends the snapshot.
        reader.close()
    }

    /// Returns the next part of the file.
    ///
    /// - Throws: `.invalidArgument` if `offset` is not the end of the previous part, `.blobSessionNotFound` if the
    ///   snapshot was closed.
    func nextPiece(at offset: UInt64) throws(StoreError) -> BlobPiece {
        try output.expectPiece(at: offset)
        while output.wantsMore {
            try makeMore()
        }
        return output.removeNextPiece()
    }

    private func makeMore() throws(StoreError) {
        var content: [UInt8] = []
        try BlobExportRows.read(conversation, query, reader) { message, cursor in
            encoder.append(message, to: &content)
            query.after = cursor
            return content.count < BlobLimits.pieceBytesMax
        }
        output.append(content)
        if encoder.isComplete {
            output.finish()
        }
    }
}

struct BlobExportSize {
    var messageCount: Int
    var contentBytes: UInt64
}

/// The rows of an export, read in one transaction that stays open between reads.
enum BlobExportRows {
    /// Begins the transaction and counts the messages and their bytes.
    static func begin(
        _ reference: ConversationReference, _ query: MessageQuery, _ reader: StoreReader
    ) throws(StoreError) -> (conversation: Int64, BlobExportSize) {
        try reader.read { connection throws(StoreError) in
            try connection.run(begin)
            let conversation = try ConversationLookup.row(reference, in: connection).integer(0)
            let condition = MessageCondition(query, conversation: conversation, limit: BlobLayout.messagesMax)
            guard let row = try connection.first(size, condition) else {
                return (conversation, BlobExportSize(messageCount: 0, contentBytes: 0))
            }
            let count = row.integer(0)
            let bytes = Int64(BlobLayout.countBytes) + count * Int64(BlobLayout.messageBytesMin) + row.integer(1)
            return (conversation, BlobExportSize(messageCount: Int(count), contentBytes: UInt64(clamping: bytes)))
        }
    }

    /// Passes messages to `body`, oldest first, until it returns false.
    static func read(
        _ conversation: Int64, _ query: MessageQuery, _ reader: StoreReader,
        _ body: (BlobMessage, MessageCursor) -> Bool
    ) throws(StoreError) {
        try reader.read { connection throws(StoreError) in
            // Locking the store or rotating its master key closes every reader's connection. The new connection has no
            // open transaction.
            guard !connection.isInAutocommit else {
                throw StoreError(
                    .blobSessionNotFound,
                    """
                    the store was locked, or its master key was rotated, during the export; begin another export
                    """)
            }
            let rows = try connection.rows(
                messages, MessageCondition(query, conversation: conversation, limit: BlobLayout.messagesMax))
            while try rows.next() {
                let timestamp = rows.timestamp(0)
                let message = BlobMessage(
                    text: try rows.text(2), isOutgoing: rows.bool(3), attachmentType: try rows.optionalText(4),
                    timestamp: timestamp)
                guard body(message, MessageCursor(timestamp: timestamp, id: try rows.name(1))) else { break }
            }
        }
    }

    private static let begin = StatementText("BEGIN")
    private static let size = StatementText(
        """
        SELECT count(*), ifnull(sum(length(CAST(\(LongTexts.column(of: "m")) AS BLOB))), 0) FROM messages AS m
        WHERE \(MessageCondition.wholeSQL) LIMIT \(MessageCondition.limitSQL)
        """)
    private static let messages = StatementText(
        """
        SELECT m.timestamp, m.id, \(LongTexts.column(of: "m")), m.is_outgoing, m.attachment_type FROM messages AS m
        WHERE \(MessageCondition.wholeSQL)
        ORDER BY m.timestamp, m.id LIMIT \(MessageCondition.limitSQL)
        """)
}
