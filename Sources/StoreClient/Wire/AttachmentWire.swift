import FoundationEssentials
import StoreBasics
import StoreProtocol

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

extension WireListAttachmentsRequest {
    mutating func apply(_ owner: AttachmentOwner) {
        switch owner {
        case .message(let id): messageID = id
        case .conversation(let reference): conversation = WireConversationReference(reference)
        }
    }
}
