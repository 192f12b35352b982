import FoundationEssentials
import StoreBasics
import StoreProtocol

extension Attachment {
    init(_ wire: WireAttachment) {
        self.init(
            name: wire.name, mimeType: wire.mimeType, contentBytes: wire.byteCount,
            digest: Hexadecimal.encode(wire.digest), source: wire.source.isEmpty ? nil : wire.source,
            hasThumbnail: wire.hasThumbnail_p, isStored: wire.isStored)
    }
}

extension WireNewAttachment {
    init(_ attachment: NewAttachment) {
        self.init()
        switch attachment.content {
        case .bytes(let bytes): data = Data(bytes)
        case .digest(let text): digest = Data(digest: text)
        }
        name = attachment.name
        mimeType = attachment.mimeType
        thumbnail = Data(attachment.thumbnail)
        source = attachment.source ?? ""
    }
}

extension Data {
    /// What is no hexadecimal number goes as it is: the daemon says what is wrong with it.
    init(digest text: String) {
        self = Hexadecimal.decode(text).map { Data($0) } ?? Data(text.utf8)
    }
}

extension AttachmentPage {
    init(_ wire: WireListAttachmentsResponse) {
        self.init(
            attachments: wire.attachments.map(ListedAttachment.init),
            nextCursor: wire.nextCursor.isEmpty ? nil : wire.nextCursor)
    }
}

extension ListedAttachment {
    init(_ wire: WireListedAttachment) {
        self.init(
            messageID: wire.messageID, position: Int(wire.position),
            timestamp: Timestamp(microseconds: wire.timestampMicroseconds), attachment: Attachment(wire.attachment),
            thumbnail: Array(wire.thumbnail))
    }
}
