import ReplicaModel
import StoreBasics

/// What a message says and is, without how far it has come: as bytes in a batch. When it was made comes first, so that
/// of two first savings of one message the earlier is the lesser.
struct MessageBody: Hashable {
    var createdAt: Timestamp
    var timestamp: Timestamp
    var text: String
    var senderSessionID: String
    var recipientSessionID: String
    var isOutgoing: Bool
    var attachmentURL: String?
    var attachmentType: String?
    var replyToMessageID: String?
    var editedAt: Timestamp?
    var timer: MessageTimer?
    var attachments: [NewAttachment]

    init(_ row: MessageRow, _ attachments: [NewAttachment]) {
        createdAt = row.createdAt
        timestamp = row.timestamp
        text = row.text
        senderSessionID = row.senderSessionID
        recipientSessionID = row.recipientSessionID
        isOutgoing = row.isOutgoing
        attachmentURL = row.attachmentURL
        attachmentType = row.attachmentType
        replyToMessageID = row.replyToMessageID?.text
        editedAt = row.editedAt
        timer = row.timer
        self.attachments = attachments
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            text.utf8.count + senderSessionID.utf8.count + recipientSessionID.utf8.count + Self.bytesBesideTexts)
        // So that the bytes are in the order of the times, also of those before 1970.
        bytes.append(bigEndian: UInt64(bitPattern: createdAt.microseconds) ^ (1 << 63))
        bytes.append(time: timestamp)
        bytes.append(text: text)
        bytes.append(text: senderSessionID)
        bytes.append(text: recipientSessionID)
        bytes.append(isOutgoing ? 1 : 0)
        bytes.append(optional: attachmentURL)
        bytes.append(optional: attachmentType)
        bytes.append(optional: replyToMessageID)
        bytes.append(optional: editedAt?.microseconds)
        bytes.append(optional: timer?.number)
        bytes.append(attachments: attachments)
        return bytes
    }

    /// Of most messages, beside what is long in them.
    private static let bytesBesideTexts = 96

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsed { (reader) throws(StoreError) in try MessageBody(&reader) }
        try TextBounds.check(newMessage(in: .id(EntityID("body")), .pending, isRead: false))
    }

    private init?(_ reader: inout ByteReader) throws(StoreError) {
        guard let createdAt: UInt64 = reader.bigEndian(), let timestamp = reader.bigEndianTime(),
            let text = reader.text(), let sender = reader.text(), let recipient = reader.text(),
            let isOutgoing = reader.flag(), let url = reader.optionalText(), let type = reader.optionalText(),
            let replyTo = reader.optionalText(), let editedAt = reader.optionalInteger(),
            let timer = reader.optionalInteger(), let attachments = try reader.attachments()
        else { return nil }
        self.createdAt = Timestamp(microseconds: Int64(bitPattern: createdAt ^ (1 << 63)))
        self.timestamp = timestamp
        self.text = text
        senderSessionID = sender
        recipientSessionID = recipient
        self.isOutgoing = isOutgoing
        attachmentURL = url
        attachmentType = type
        replyToMessageID = try replyTo.map { (id) throws(StoreError) in try EntityID(id).text }
        self.editedAt = editedAt.map { Timestamp(microseconds: $0) }
        self.timer = try timer.map { (number) throws(StoreError) in try MessageTimer(number: number) }
        self.attachments = attachments
    }

    func newMessage(
        in conversation: ConversationReference, _ status: MessageStatus, isRead: Bool
    ) -> NewMessage {
        NewMessage(
            conversation: conversation, text: text, senderSessionID: senderSessionID,
            recipientSessionID: recipientSessionID, timestamp: timestamp, status: status, isOutgoing: isOutgoing,
            isRead: isRead, attachmentURL: attachmentURL, attachmentType: attachmentType,
            replyToMessageID: replyToMessageID.map { EntityID(trusted: $0) },
            timer: timer.map { .timer($0) } ?? .none, attachments: attachments)
    }
}

extension [UInt8] {
    /// Contents by their digests: their bytes travel by themselves.
    mutating func append(attachments: [NewAttachment]) {
        append(variableLength: attachments.count)
        for attachment in attachments {
            self += attachment.digest.bytes
            append(leb128: attachment.byteCount)
            append(text: attachment.name)
            append(text: attachment.mimeType.text)
            append(sized: attachment.thumbnail)
            append(optional: attachment.source)
        }
    }
}

extension ByteReader {
    mutating func attachments() throws(StoreError) -> [NewAttachment]? {
        guard let count = variableLength(), count <= EngineLimits.attachmentsMax else { return nil }
        var attachments: [NewAttachment] = []
        for _ in 0..<count {
            guard let digest = bytes(AttachmentDigest.byteCount), let byteCount = leb128(), let name = text(),
                let type = text(), let thumbnail = sizedBytes(), let source = optionalText()
            else { return nil }
            let content = NewAttachment.Content.listed(
                AttachmentDigest(trusted: [UInt8](digest)), byteCount: byteCount)
            attachments.append(
                try NewAttachment(
                    content, name: name, mimeType: MIMEType(type), thumbnail: [UInt8](thumbnail), source: source))
        }
        return attachments
    }
}

extension MessageStatus {
    /// As `MessageProgress` counts it.
    var replicaStep: UInt8 {
        switch self {
        case .pending: 0
        case .failed: 1
        case .sent: 2
        case .delivered: 3
        }
    }

    /// - Throws: `.invalidArgument` for a step that there is not.
    init(replicaStep: UInt8) throws(StoreError) {
        switch replicaStep {
        case 0: self = .pending
        case 1: self = .failed
        case 2: self = .sent
        case 3: self = .delivered
        default: throw .invalidArgument("a batch has an unknown status")
        }
    }
}
