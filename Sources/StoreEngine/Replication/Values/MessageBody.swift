import ReplicaModel
import StoreBasics

/// The content of a message as a batch carries it: an `ArchivedMessage` of archives.proto without id, status, read flag
/// and expiry, which the record has beside it.
///
/// Fields of a later version stay as they came, and are written again with the others.
struct MessageBody: Hashable {
    var createdAt = Timestamp(microseconds: 0)
    var timestamp = Timestamp(microseconds: 0)
    var text = ""
    var senderSessionID = ""
    var recipientSessionID = ""
    var isOutgoing = false
    var attachmentURL: String?
    var attachmentType: String?
    var replyToMessageID: String?
    var editedAt: Timestamp?
    var timer: MessageTimer?
    var attachments: [NewAttachment] = []
    /// Fields of a later version, in the form of `TaggedFields.unknown`.
    var unknownFields: [UInt8] = []

    private init() {}

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
        unknownFields = row.unknownFields ?? []
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

// MARK: As bytes

extension MessageBody {
    /// The numbers of archives.proto.
    private enum Number {
        static let id: UInt32 = 1
        static let text: UInt32 = 2
        static let senderSessionID: UInt32 = 3
        static let recipientSessionID: UInt32 = 4
        static let timestamp: UInt32 = 5
        static let status: UInt32 = 6
        static let isOutgoing: UInt32 = 7
        static let isRead: UInt32 = 8
        static let attachmentURL: UInt32 = 9
        static let attachmentType: UInt32 = 10
        static let replyToMessageID: UInt32 = 11
        static let createdAt = MessageContent.createdAtNumber
        static let editedAt: UInt32 = 13
        static let timer: UInt32 = 14
        static let expiresAt: UInt32 = 15
        static let attachments: UInt32 = 16
    }

    /// The fields in the order of their numbers, so that equal bodies have equal bytes on devices of all versions.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            text.utf8.count + senderSessionID.utf8.count + recipientSessionID.utf8.count + Self.bytesBesideTexts)
        bytes.append(field: Number.text, text)
        bytes.append(field: Number.senderSessionID, senderSessionID)
        bytes.append(field: Number.recipientSessionID, recipientSessionID)
        bytes.append(field: Number.timestamp, signed: timestamp.microseconds)
        bytes.append(field: Number.isOutgoing, isOutgoing)
        bytes.append(field: Number.attachmentURL, optional: attachmentURL)
        bytes.append(field: Number.attachmentType, optional: attachmentType)
        bytes.append(field: Number.replyToMessageID, optional: replyToMessageID)
        bytes.append(field: Number.createdAt, signed: createdAt.microseconds)
        bytes.append(field: Number.editedAt, optional: editedAt)
        if let timer {
            bytes.append(field: Number.timer, present: timer.messageBytes)
        }
        bytes.append(field: Number.attachments, attachments)
        return bytes.inserting(unknown: unknownFields)
    }

    /// Of most messages, beside what is long in them.
    private static let bytesBesideTexts = 96

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsedFields { fields in try MessageBody(&fields) }
        try TextBounds.check(newMessage(in: .id(EntityID("body")), .pending, isRead: false))
        try UnknownFields.check(unknownFields, attachments)
    }

    private init(_ fields: inout TaggedFields) throws {
        self.init()
        while let field = try fields.next() {
            switch field.number {
            case Number.text: text = try field.text()
            case Number.senderSessionID: senderSessionID = try field.text()
            case Number.recipientSessionID: recipientSessionID = try field.text()
            case Number.timestamp: timestamp = try field.timestamp()
            case Number.isOutgoing: isOutgoing = try field.flag()
            case Number.attachmentURL: attachmentURL = try field.text()
            case Number.attachmentType: attachmentType = try field.text()
            case Number.replyToMessageID: replyToMessageID = try EntityID(field.text()).text
            case Number.createdAt: createdAt = try field.timestamp()
            case Number.editedAt: editedAt = try field.timestamp()
            case Number.timer: timer = try MessageTimer(messageBytes: field.bytes())
            case Number.attachments: try attachments.append(field)
            // Beside the body.
            case Number.id, Number.status, Number.isRead, Number.expiresAt: throw ProtobufFault()
            default: fields.keep(field)
            }
        }
        unknownFields = fields.unknown
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
