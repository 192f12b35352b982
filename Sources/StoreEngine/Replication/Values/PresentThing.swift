import ReplicaModel
import SQLCipher
import StoreBasics

/// A thing as the store holds it now.
struct PresentThing {
    var values: ThingValues
    /// When it last counted as updated.
    var touchedAt: Int64
}

/// A draft as one value: an `ArchivedDraft` of archives.proto without the session id, which the name has.
struct DraftValue {
    var content: DraftContent
    var updatedAt: Timestamp
    var attachments: [NewAttachment]
    /// Fields of a later version, which `bytes` leaves out; so have all values.
    private(set) var unknownFields: [UInt8] = []

    private enum Number {
        static let text: UInt32 = 2
        static let attachmentURL: UInt32 = 3
        static let attachmentType: UInt32 = 4
        static let replyToMessageID: UInt32 = 5
        static let updatedAt: UInt32 = 6
        static let attachments: UInt32 = 7
    }

    init(content: DraftContent, updatedAt: Timestamp, attachments: [NewAttachment]) {
        self.content = content
        self.updatedAt = updatedAt
        self.attachments = attachments
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: Number.text, content.text)
        bytes.append(field: Number.attachmentURL, optional: content.attachmentURL)
        bytes.append(field: Number.attachmentType, optional: content.attachmentType)
        bytes.append(field: Number.replyToMessageID, optional: content.replyToMessageID?.text)
        bytes.append(field: Number.updatedAt, signed: updatedAt.microseconds)
        bytes.append(field: Number.attachments, attachments)
        return bytes
    }

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsedFields { fields in
            var content = DraftContent(text: "")
            var updatedAt = Timestamp(microseconds: 0)
            var attachments: [NewAttachment] = []
            while let field = try fields.next() {
                switch field.number {
                case Number.text: content.text = try field.text()
                case Number.attachmentURL: content.attachmentURL = try field.text()
                case Number.attachmentType: content.attachmentType = try field.text()
                case Number.replyToMessageID: content.replyToMessageID = try EntityID(field.text())
                case Number.updatedAt: updatedAt = try field.timestamp()
                case Number.attachments: try attachments.append(field)
                default: fields.keep(field)
                }
            }
            var draft = DraftValue(content: content, updatedAt: updatedAt, attachments: attachments)
            draft.unknownFields = fields.unknown
            return draft
        }
        try TextBounds.check(content)
        try UnknownFields.check(unknownFields, attachments)
    }
}

/// A value of a scene: an `ArchivedSceneValue` of archives.proto without scene and key.
struct SceneValueBytes {
    var updatedAt: Timestamp
    var value: [UInt8]
    private(set) var unknownFields: [UInt8] = []

    private enum Number {
        static let value: UInt32 = 3
        static let updatedAt: UInt32 = 4
    }

    init(updatedAt: Timestamp, value: [UInt8]) {
        self.updatedAt = updatedAt
        self.value = value
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: Number.value, value)
        bytes.append(field: Number.updatedAt, signed: updatedAt.microseconds)
        return bytes
    }

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsedFields { fields in
            var value = SceneValueBytes(updatedAt: Timestamp(microseconds: 0), value: [])
            while let field = try fields.next() {
                switch field.number {
                case Number.value: value.value = try field.bytes()
                case Number.updatedAt: value.updatedAt = try field.timestamp()
                default: fields.keep(field)
                }
            }
            value.unknownFields = fields.unknown
            return value
        }
        try TextBounds.checkSceneValue(value)
    }
}

/// A reaction: an `ArchivedReaction` of archives.proto without author and emoji.
struct ReactionValue {
    var createdAt: Timestamp
    private(set) var unknownFields: [UInt8] = []

    private static let createdAtNumber: UInt32 = 3

    init(createdAt: Timestamp) {
        self.createdAt = createdAt
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: Self.createdAtNumber, signed: createdAt.microseconds)
        return bytes
    }

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsedFields { fields in
            var value = ReactionValue(createdAt: Timestamp(microseconds: 0))
            while let field = try fields.next() {
                switch field.number {
                case Self.createdAtNumber: value.createdAt = try field.timestamp()
                default: fields.keep(field)
                }
            }
            value.unknownFields = fields.unknown
            return value
        }
    }
}
