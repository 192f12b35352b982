import FoundationEssentials
import StoreProtocol

/// Attachments: contents that are saved with messages and drafts, each kept once in the store.
extension StoreClient {
    /// Contents and thumbnails that go along with one message; what is beyond that is written before it.
    static let inlineAttachmentBytesMax = 1 << 20

    /// Begins to write a content of any size, for an attachment that is saved with a message later: send it with
    /// `FileWriter.write`, and `FileWriter.finishAttachment` gives its digest. A content that nothing is saved with
    /// within an hour goes.
    ///
    /// The daemon runs at most 16 writes of a user at once; if there are as many, this waits for one to end.
    ///
    /// - Parameter byteCount: how many bytes will be written, where that is known: neither more nor fewer are taken.
    /// - Throws: `.deadlineExceeded` where none ended in time.
    public func beginAttachmentWrite(byteCount: Int? = nil) async throws(StoreClientError) -> FileWriter {
        var call = WireBeginAttachmentWriteRequest()
        if let byteCount {
            call.byteCount = UInt64(clamping: byteCount)
        }
        let number = try await answer(to: .beginAttachmentWrite(call), .session(.fileWrite)) { result in
            if case .fileWrite(let begun) = result { begun.write } else { nil }
        }
        return FileWriter(client: self, number: number)
    }

    /// Writes a content for an attachment that is saved with a message later.
    ///
    /// - Returns: its digest.
    public func writeAttachment(_ bytes: [UInt8]) async throws(StoreClientError) -> String {
        try await writingLarge { () throws(StoreClientError) in
            let writer = try await beginAttachmentWrite(byteCount: bytes.count)
            return try await writer.endingOnFailure { (writer) throws(StoreClientError) in
                try await writer.write(bytes)
                return try await writer.finishAttachment()
            }
        }
    }

    /// A piece of an attachment's content, from one answer.
    ///
    /// - Parameters:
    ///   - messageID: the message's.
    ///   - position: among its attachments, from 0.
    ///   - offset: where it starts; at the end of the content and behind it there are no bytes, which is no error.
    ///   - byteCount: the most that is wanted; `nil`: as much as an answer has.
    ///   - digest: of the answer before; `nil`: whatever is there.
    /// - Throws: `.messageNotFound`, `.attachmentNotFound`, `.attachmentEvicted`; `.fileChanged` where the message has
    ///   another content there than `digest` names.
    public func attachmentPiece(
        of messageID: String, at position: Int, from offset: UInt64 = 0, byteCount: Int? = nil,
        expecting digest: String? = nil
    ) async throws(StoreClientError) -> AttachmentPiece {
        var call = WireReadAttachmentRequest()
        call.messageID = messageID
        guard let place = UInt32(exactly: position) else {
            throw StoreClientError(
                code: .invalidArgument, reason: .invalidArgument,
                message: "the position of an attachment is \(position); it must be 0 or more")
        }
        call.position = place
        call.offset = offset
        call.byteCount = UInt64(clamping: max(1, byteCount ?? Self.filePieceBytesMax))
        if let digest {
            call.expectedDigest = Data(digest: digest)
        }
        let answered = try await answer(to: .readAttachment(call), .read) { result in
            if case .attachmentData(let piece) = result { piece } else { nil }
        }
        return AttachmentPiece(answered)
    }

    /// An attachment's content in pieces as they come, one in memory at a time. It ends by throwing `.messageNotFound`,
    /// `.attachmentNotFound`, `.attachmentEvicted`, or `.fileChanged` where the message got another content there.
    ///
    /// - Parameters:
    ///   - messageID: the message's.
    ///   - position: among its attachments, from 0.
    ///   - offset: where to start.
    public func attachmentPieces(of messageID: String, at position: Int, from offset: UInt64 = 0) -> AttachmentPieces {
        AttachmentPieces(client: self, messageID: messageID, position: position, offset: offset)
    }

    /// An attachment's content in memory. Where the message gets another content meanwhile, that one is read.
    ///
    /// - Throws: as `attachmentPiece`.
    public func readAttachment(of messageID: String, at position: Int) async throws(StoreClientError) -> [UInt8] {
        try await readingWhole { (_) throws(StoreClientError) in
            var bytes: [UInt8] = []
            for try await piece in attachmentPieces(of: messageID, at: position) {
                bytes += piece
            }
            return bytes
        }
    }

    /// As they go along with a message: those that are too large for that are written before.
    func prepared(
        _ attachments: [NewAttachment], atMost bytesMax: Int = StoreClient.inlineAttachmentBytesMax
    ) async throws(StoreClientError) -> [WireNewAttachment] {
        guard !attachments.isEmpty else { return [] }
        var bytesLeft = attachments.reduce(bytesMax) { $0 - $1.thumbnail.count }
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

extension FileWriter {
    /// Makes what was written a content that attachments can be saved with; on disk when it returns.
    ///
    /// - Parameter idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Returns: its digest.
    public func finishAttachment(
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> String {
        guard let digest = try await finish(idempotencyKey: idempotencyKey).ids.first else {
            throw .answerUnreadable("the daemon's answer has no digest of the written content")
        }
        return digest
    }
}

/// An attachment's content in pieces; see `StoreClient.attachmentPieces`.
public struct AttachmentPieces: AsyncSequence, Sendable {
    /// What a piece is.
    public typealias Element = [UInt8]
    /// What it ends with when it does not end by itself.
    public typealias Failure = StoreClientError

    fileprivate let client: StoreClient
    fileprivate let messageID: String
    fileprivate let position: Int
    fileprivate let offset: UInt64

    fileprivate init(client: StoreClient, messageID: String, position: Int, offset: UInt64) {
        self.client = client
        self.messageID = messageID
        self.position = position
        self.offset = offset
    }

    /// Reads the content anew.
    public func makeAsyncIterator() -> Iterator {
        Iterator(content: self)
    }

    /// Reads one piece after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let content: AttachmentPieces
        private var offset: UInt64
        private var digest: String?
        private var isOver = false

        fileprivate init(content: AttachmentPieces) {
            self.content = content
            offset = content.offset
        }

        /// The next piece, never an empty one; `nil` behind the last, and after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(StoreClientError) -> [UInt8]? {
            guard !isOver else { return nil }
            do throws(StoreClientError) {
                let piece = try await content.client.attachmentPiece(
                    of: content.messageID, at: content.position, from: offset, expecting: digest)
                digest = piece.attachment.digest
                offset += UInt64(piece.bytes.count)
                guard !piece.bytes.isEmpty || offset >= piece.attachment.contentBytes else {
                    throw .answerUnreadable("the daemon sent an empty piece before the end of an attachment")
                }
                isOver = piece.bytes.isEmpty || offset >= piece.attachment.contentBytes
                return piece.bytes.isEmpty ? nil : piece.bytes
            } catch {
                isOver = true
                throw error
            }
        }
    }
}
