import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol

enum AttachmentCalls {
    static let listAttachments = CallRule(.read(.messages), .read) {
        (request: WireListAttachmentsRequest, _) throws(StoreError) in
        let owner: AttachmentQuery.Owner
        switch request.of {
        case .messageID(let id): owner = .message(try EntityID(wire: id))
        case .conversation(let reference): owner = .conversation(try ConversationReference(reference.reference))
        case nil: owner = .store
        }
        let cursor = try request.cursor.ifGiven.map { (text) throws(StoreError) in
            try AttachmentCursor(text)
        }
        let query = AttachmentQuery(
            of: owner, mimeTypePrefix: request.mimeTypePrefix, withThumbnails: request.withThumbnails,
            limit: try request.limit.asLimit(), cursor: cursor)
        return .read(isLong: true) { (reader, _) throws(StoreError) in
            .result(.attachments(WireListAttachmentsResponse(try reader.attachments(query))))
        }
    }

    static let readAttachment = CallRule(.read(.messages), .read) {
        (request: WireReadAttachmentRequest, _) throws(StoreError) in
        let (message, position, offset) = (try EntityID(wire: request.messageID), request.position, request.offset)
        let pieceBytesMax = UInt64(FrameLimits.filePieceBytesMax)
        let byteCount = request.byteCount == 0 ? pieceBytesMax : min(request.byteCount, pieceBytesMax)
        let expected = try request.expectedDigest.digest()
        let piece = { @Sendable (reader: StoreReader, mayWait: Bool) throws(StoreError) -> Answer? in
            var memory = PieceMemory()
            var attachment = try reader.readAttachment(
                of: message, at: position, from: offset, byteCount: byteCount, expecting: expected, mayWait: mayWait
            ) { (count, fill) throws(StoreError) in try memory.fill(count, fill) }
            if offset > 0 {
                attachment?.metadata = nil
            }
            guard let attachment else { return nil }
            return .piece(ContentPiece(.attachmentData, memory, of: attachment.protobufBytes))
        }
        return .read(Read(pieceOf: byteCount, piece))
    }

    static let getAttachmentUsage = CallRule(.read(.messages), .read) {
        (_: WireGetAttachmentUsageRequest, _) throws(StoreError) in
        .read(isLong: true) { (reader, _) throws(StoreError) in
            .result(.attachmentUsage(WireAttachmentUsage(try reader.attachmentUsage())))
        }
    }

    static let beginAttachmentWrite = CallRule(.write(.messages), .read) {
        (request: WireBeginAttachmentWriteRequest, _) throws(StoreError) in
        .fileWrite(
            .beginAttachment(
                AttachmentWriteRequest(
                    byteCount: request.hasByteCount ? request.byteCount : nil, digest: try request.digest.digest())))
    }
}

extension Sequence<UInt8> {
    /// Creates the digest from its bytes on the wire; `nil` for an empty field.
    fileprivate func digest() throws(StoreError) -> AttachmentDigest? {
        let bytes = [UInt8](self)
        guard !bytes.isEmpty else { return nil }
        return try AttachmentDigest(bytes)
    }
}
