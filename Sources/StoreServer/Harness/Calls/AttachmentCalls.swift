import FoundationEssentials
import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum AttachmentCalls {
    static let listAttachments = CallRule(.read(.messages), .read) {
        (request: WireListAttachmentsRequest, _) throws(RequestFailure) in
        let owner: AttachmentQuery.Owner
        switch request.of {
        case .messageID(let id): owner = .message(try EntityID(wire: id))
        case .conversation(let reference): owner = .conversation(try ConversationReference(reference.reference))
        case nil: throw .invalidArgument("the request names no message and no conversation; name one of them")
        }
        let cursor = try request.cursor.ifGiven.map { (text) throws(RequestFailure) in
            try checked { () throws(StoreError) in try AttachmentCursor(text) }
        }
        let query = AttachmentQuery(
            of: owner, mimeTypePrefix: request.mimeTypePrefix, withThumbnails: request.withThumbnails,
            limit: try request.limit.asLimit(), cursor: cursor)
        return .read(
            Read(isLong: true) { (reader, _) throws(StoreError) in
                let page = try reader.attachments(query)
                return .result(
                    .attachments(
                        .with {
                            $0.attachments = page.attachments.map(WireListedAttachment.init)
                            $0.nextCursor = page.nextCursor?.text ?? ""
                        }))
            })
    }

    static let readAttachment = CallRule(.read(.messages), .read) {
        (request: WireReadAttachmentRequest, _) throws(RequestFailure) in
        let (message, position, offset) = (try EntityID(wire: request.messageID), request.position, request.offset)
        let pieceBytesMax = UInt64(FrameLimits.filePieceBytesMax)
        let byteCount = request.byteCount == 0 ? pieceBytesMax : min(request.byteCount, pieceBytesMax)
        let expected = try request.expectedDigest.digest()
        let piece = { @Sendable (reader: StoreReader, mayWait: Bool) throws(StoreError) -> Answer? in
            var memory = PieceMemory()
            let attachment = try reader.readAttachment(
                of: message, at: position, from: offset, byteCount: byteCount, expecting: expected, mayWait: mayWait
            ) { (count, fill) throws(StoreError) in try memory.fill(count, fill) }
            guard let attachment else { return nil }
            return .piece(ContentPiece(.attachmentData, memory, of: AttachmentEncoder.encoded(attachment)))
        }
        return .read(Read(pieceOf: byteCount, piece))
    }

    static let getAttachmentUsage = CallRule(.read(.messages), .read) {
        (_: WireGetAttachmentUsageRequest, _) throws(RequestFailure) in
        .read(
            Read(isLong: true) { (reader, _) throws(StoreError) in
                .result(.attachmentUsage(WireAttachmentUsage(try reader.attachmentUsage())))
            })
    }

    static let beginAttachmentWrite = CallRule(.write(.messages), .read) {
        (request: WireBeginAttachmentWriteRequest, _) throws(RequestFailure) in
        .fileWrite(
            .beginAttachment(
                AttachmentWriteRequest(
                    byteCount: request.hasByteCount ? request.byteCount : nil, digest: try request.digest.digest())))
    }
}

extension Sequence<UInt8> {
    /// `nil` for no bytes.
    fileprivate func digest() throws(RequestFailure) -> AttachmentDigest? {
        let bytes = [UInt8](self)
        guard !bytes.isEmpty else { return nil }
        return try checked { () throws(StoreError) in try AttachmentDigest(bytes) }
    }
}

extension WireAttachmentUsage {
    fileprivate init(_ usage: AttachmentUsage) {
        self.init()
        contentCount = UInt64(usage.contentCount)
        byteCount = usage.byteCount
        storedCount = UInt64(usage.storedCount)
        storedBytes = usage.storedBytes
        evictableBytes = usage.evictableBytes
        evictableBytesMax = usage.evictableBytesMax
    }
}

extension WireListedAttachment {
    fileprivate init(_ listed: ListedAttachment) {
        self.init()
        messageID = listed.messageID.text
        position = UInt32(clamping: listed.position)
        timestampMicroseconds = listed.timestamp.microseconds
        attachment = WireAttachment(listed.attachment)
        thumbnail = Data(listed.thumbnail)
    }
}

extension AttachmentEncoder {
    static func encoded(_ attachment: Attachment) -> [UInt8] {
        let byteCount = size(of: attachment)
        return [UInt8](unsafeUninitializedCapacity: byteCount) { memory, count in
            var writer = ProtobufWriter(
                UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: memory[..<byteCount])))
            write(attachment, to: &writer)
            precondition(writer.isFull, "the encoded attachment must have the computed size")
            count = byteCount
        }
    }
}
