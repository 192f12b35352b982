import FoundationEssentials
import StoreBasics
import StoreProtocol

/// Calls for attachments. Attachments are saved with messages and drafts, and the store keeps each content once.
extension StoreClient {
    /// Writes a content for an attachment that is saved with a message later.
    ///
    /// - Returns: The digest of the content.
    public func writeAttachment(_ bytes: [UInt8]) async throws(StoreClientError) -> String {
        try await writingLarge { () throws(StoreClientError) in
            let writer = try await beginAttachmentWrite(byteCount: bytes.count)
            return try await writer.endingOnFailure { (writer) throws(StoreClientError) in
                try await writer.write(bytes)
                return try await writer.finishAttachment()
            }
        }
    }

    /// Returns an attachment's content in pieces, with one piece in memory at a time. The sequence throws
    /// `.messageNotFound`, `.attachmentNotFound`, `.attachmentEvicted`, or `.fileChanged` if the attachment's content
    /// was replaced meanwhile.
    ///
    /// - Parameters:
    ///   - messageID: The ID of the message.
    ///   - position: The position among the message's attachments, starting at 0.
    ///   - offset: The offset to start at.
    public func attachmentPieces(of messageID: String, at position: Int, from offset: UInt64 = 0) -> AttachmentPieces {
        AttachmentPieces(
            source: AttachmentReader(client: self, messageID: messageID, position: position, offset: offset))
    }

    /// Reads an attachment's content into memory. If the content is replaced meanwhile, the new one is read.
    ///
    /// - Throws: The errors of `attachmentPiece`.
    public func readAttachment(of messageID: String, at position: Int) async throws(StoreClientError) -> [UInt8] {
        try await readingWhole { (_) throws(StoreClientError) in
            var bytes: [UInt8] = []
            for try await piece in attachmentPieces(of: messageID, at: position) {
                bytes += piece
            }
            return bytes
        }
    }

    /// Returns messages in the form of a request. Contents that are too large for the request are written first.
    func prepared(_ messages: [NewMessage]) async throws(StoreClientError) -> [WireNewMessage] {
        var prepared = messages.map(WireNewMessage.init)
        for (index, message) in messages.enumerated() {
            prepared[index].attachments = try await self.prepared(
                message.attachments, atMost: Self.inlineAttachmentBytesMax / messages.count)
        }
        return prepared
    }

    /// Returns attachments in the form of a request. Contents that are too large for the request are written first.
    func prepared(
        _ attachments: [NewAttachment], atMost bytesMax: Int = StoreClient.inlineAttachmentBytesMax
    ) async throws(StoreClientError) -> [WireNewAttachment] {
        var bytesLeft = attachments.reduce(bytesMax) { $0 - $1.thumbnail.count - ($1.metadata?.data.count ?? 0) }
        var prepared: [WireNewAttachment] = []
        for var attachment in attachments {
            if case .bytes(let bytes) = attachment.content {
                if bytes.count > Self.wholeFileBytesMax || bytes.count > bytesLeft {
                    attachment.content = .digest(try await writeAttachment(bytes))
                } else {
                    bytesLeft -= bytes.count
                }
            }
            prepared.append(WireNewAttachment(attachment))
        }
        return prepared
    }
}

extension Data {
    /// Creates the bytes of a digest. A text that is no hexadecimal number is sent as it is; the daemon then returns an
    /// error about it.
    init(digest text: String) {
        self = Hexadecimal.decode(text).map { Data($0) } ?? Data(text.utf8)
    }
}

extension FileWriter {
    /// Turns the written bytes into a content that attachments can be saved with. The content is durable when this
    /// returns.
    ///
    /// - Parameter idempotencyKey: Identifies the mutation, so that a repetition has no further effect.
    /// - Returns: The digest of the content.
    public func finishAttachment(
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> String {
        guard let digest = try await finish(idempotencyKey: idempotencyKey).ids.first else {
            throw .answerUnreadable("the daemon's answer has no digest of the written content")
        }
        return digest
    }
}

/// An attachment's content in pieces, none of which is empty; see `StoreClient.attachmentPieces`.
public typealias AttachmentPieces = ContentSequence<[UInt8]>

/// Reads the content that an attachment has when the first piece is read.
private struct AttachmentReader: ContentSource {
    let client: StoreClient
    let messageID: String
    let position: Int
    var offset: UInt64
    var digest: String?
    var isAtEnd = false

    mutating func next() async throws(StoreClientError) -> [UInt8]? {
        let piece = try await client.attachmentPiece(of: messageID, at: position, from: offset, expecting: digest)
        digest = piece.attachment.digest
        offset += UInt64(piece.bytes.count)
        isAtEnd = offset >= piece.attachment.contentBytes
        guard isAtEnd || !piece.bytes.isEmpty else {
            throw .answerUnreadable("the daemon sent an empty piece before the end of an attachment")
        }
        return piece.bytes.isEmpty ? nil : piece.bytes
    }
}
