import FoundationEssentials
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol

extension NewAttachment {
    init(wire: WireNewAttachment) throws(StoreError) {
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
            content = .known(try AttachmentDigest(wire: digest))
        case nil:
            throw .invalidArgument("an attachment has neither content nor digest; give one of them")
        }
        self = try NewAttachment(
            content, name: wire.name, mimeType: try MIMEType(wire.mimeType), thumbnail: [UInt8](wire.thumbnail),
            source: wire.source, metadata: wire.hasMetadata ? try Metadata(wire: wire.metadata) : nil)
    }

    static func all(_ wire: [WireNewAttachment]) throws(StoreError) -> [NewAttachment] {
        try wire.map { (attachment) throws(StoreError) in try NewAttachment(wire: attachment) }
    }
}

extension AttachmentDigest {
    /// Computes the digest here, when the request is decoded, and not later on the writer thread.
    fileprivate init(of bytes: [UInt8]) throws(StoreError) {
        var digest = ContentDigest()
        digest.update(bytes)
        let computed = digest.finish()
        self = try AttachmentDigest(computed)
    }
}

/// A check of the number of attachments in a request that saves messages. It runs before the messages are decoded,
/// because many small attachments take many times their encoded size in memory.
enum NestedAttachments {
    /// The field number of a message in the request, with the field number of an attachment in that message.
    private static let savedNumbers: [UInt32: UInt32] = [1: 14]

    /// - Throws: `.requestTooLarge` if the request has too many attachments.
    static func check(_ call: CallBytes) throws(StoreError) {
        let count = try count(in: call.bytes, savedNumbers)
        guard count <= EngineLimits.requestEntitiesMax else {
            throw StoreError.tooMany(count, "attachments", countMax: EngineLimits.requestEntitiesMax)
        }
    }

    private static func count(
        in buffer: UnsafeRawBufferPointer, _ numbers: [UInt32: UInt32]
    ) throws(StoreError) -> Int {
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
