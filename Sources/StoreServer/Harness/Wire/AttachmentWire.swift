import FoundationEssentials
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol
import SwiftProtobuf

extension NewAttachment {
    init(_ wire: WireNewAttachment) throws(RequestFailure) {
        let content: Content
        switch wire.content {
        case .data(let data):
            let bytes = [UInt8](data)
            guard bytes.count <= EngineLimits.inlineFileBytesMax else {
                throw .invalidArgument(
                    "the content of an attachment has \(bytes.count) bytes; the limit in a message is "
                        + "\(EngineLimits.inlineFileBytesMax); write the content first, then name its digest")
            }
            content = .bytes(bytes, try AttachmentDigest(of: bytes))
        case .digest(let digest):
            content = .known(try checked { () throws(StoreError) in try AttachmentDigest([UInt8](digest)) })
        case nil:
            throw .invalidArgument("an attachment has neither content nor digest; give one of them")
        }
        self = try checked { () throws(StoreError) in
            try NewAttachment(
                content, name: wire.name, mimeType: try MIMEType(wire.mimeType), thumbnail: [UInt8](wire.thumbnail),
                source: wire.source)
        }
    }

    static func all(_ wire: [WireNewAttachment]) throws(RequestFailure) -> [NewAttachment] {
        try wire.map { (attachment) throws(RequestFailure) in try NewAttachment(attachment) }
    }
}

extension AttachmentDigest {
    /// Computed before the request waits for the writer.
    fileprivate init(of bytes: [UInt8]) throws(RequestFailure) {
        var digest = ContentDigest()
        digest.update(bytes)
        let computed = digest.finish()
        self = try checked { () throws(StoreError) in try AttachmentDigest(computed) }
    }
}

/// Looks at the lists within messages to be saved before they are decoded: many tiny entries would grow to many times
/// their bytes.
enum NestedAttachments {
    /// Which field of a request to save is a message, and which of its fields is an attachment.
    private static let savedNumbers: [UInt32: UInt32] = [1: 14]

    /// - Throws: `.requestTooLarge` for more than a request may have.
    static func check(_ call: CallBytes) throws(RequestFailure) {
        let count = try count(in: call.bytes, savedNumbers)
        guard count <= EngineLimits.requestEntitiesMax else {
            throw RequestFailure(
                StoreError.tooMany(count, "attachments", countMax: EngineLimits.requestEntitiesMax))
        }
    }

    private static func count(
        in buffer: UnsafeRawBufferPointer, _ numbers: [UInt32: UInt32]
    ) throws(RequestFailure) -> Int {
        var outer = CallMessage(buffer)
        var count = 0
        while let field = try outer.next() {
            guard let number = numbers[field.number], case .bytes(let range) = field.value else { continue }
            var holder = CallMessage(buffer, range)
            while let field = try holder.next() {
                count += field.number == number ? 1 : 0
            }
        }
        return count
    }
}

extension WireAttachment {
    init(_ attachment: Attachment) {
        self.init()
        name = attachment.name
        mimeType = attachment.mimeType.text
        byteCount = attachment.byteCount
        digest = Data(attachment.digest.bytes)
        source = attachment.source ?? ""
        hasThumbnail_p = attachment.hasThumbnail
        isStored = attachment.isStored
    }
}

/// Writes attachments as protobuf without building protobuf types.
enum AttachmentEncoder {
    static func size(of attachment: Attachment) -> Int {
        var size = textSize(1, attachment.name) + textSize(2, attachment.mimeType.text)
        size += integerSize(3, Int64(bitPattern: attachment.byteCount))
        size += ProtobufSize.bytesField(4, count: attachment.digest.bytes.count)
        size += textSize(5, attachment.source ?? "")
        return size + (attachment.hasThumbnail ? 2 : 0) + (attachment.isStored ? 2 : 0)
    }

    static func write(_ attachment: Attachment, to writer: inout ProtobufWriter) {
        writeText(1, attachment.name, to: &writer)
        writeText(2, attachment.mimeType.text, to: &writer)
        writeInteger(3, Int64(bitPattern: attachment.byteCount), to: &writer)
        attachment.digest.bytes.withUnsafeBytes { writer.bytesField(4, $0) }
        writeText(5, attachment.source ?? "", to: &writer)
        writeInteger(6, attachment.hasThumbnail ? 1 : 0, to: &writer)
        writeInteger(7, attachment.isStored ? 1 : 0, to: &writer)
    }
}
