import ReplicaModel
import SQLCipher
import StoreBasics

/// A thing as the store holds it now.
struct PresentThing {
    var values: ThingValues
    /// When it last counted as updated.
    var touchedAt: Int64
}

/// A draft as one value.
struct DraftValue {
    var content: DraftContent
    var updatedAt: Timestamp
    var attachments: [NewAttachment]

    init(content: DraftContent, updatedAt: Timestamp, attachments: [NewAttachment]) {
        self.content = content
        self.updatedAt = updatedAt
        self.attachments = attachments
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(time: updatedAt)
        bytes.append(text: content.text)
        bytes.append(optional: content.attachmentURL)
        bytes.append(optional: content.attachmentType)
        bytes.append(optional: content.replyToMessageID?.text)
        bytes.append(attachments: attachments)
        return bytes
    }

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsed { (reader) throws(StoreError) in
            guard let updatedAt = reader.bigEndianTime(), let text = reader.text(), let url = reader.optionalText(),
                let type = reader.optionalText(), let replyTo = reader.optionalText(),
                let attachments = try reader.attachments()
            else { return nil }
            let content = DraftContent(
                text: text, attachmentURL: url, attachmentType: type,
                replyToMessageID: try replyTo.map { (id) throws(StoreError) in try EntityID(id) })
            return DraftValue(content: content, updatedAt: updatedAt, attachments: attachments)
        }
        try TextBounds.check(content)
    }
}

/// A value of a scene with when it was set.
struct SceneValueBytes {
    var updatedAt: Timestamp
    var value: [UInt8]

    init(updatedAt: Timestamp, value: [UInt8]) {
        self.updatedAt = updatedAt
        self.value = value
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(time: updatedAt)
        return bytes + value
    }

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsed { (reader) throws(StoreError) in
            guard let time = reader.bigEndianTime(), let value = reader.bytes(reader.remaining) else { return nil }
            return SceneValueBytes(updatedAt: time, value: [UInt8](value))
        }
        try TextBounds.checkSceneValue(value)
    }
}
