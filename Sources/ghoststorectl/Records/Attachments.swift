import StoreClient

extension Attachment {
    /// Its fields, behind those of an object.
    func add(to object: inout JSONObject) {
        object.add("name", name)
        object.add("mime_type", mimeType)
        object.add("bytes", contentBytes)
        object.add("digest", digest)
        object.add("source", source ?? "")
        object.add("has_thumbnail", hasThumbnail)
        object.add("is_stored", isStored)
    }

    var json: JSONObject {
        var object = JSONObject()
        add(to: &object)
        return object
    }

    /// As people read it.
    var phrase: String {
        "\(name.isEmpty ? "unnamed" : name) (\(mimeType), \(size))"
    }

    /// Of what made room for others only the size is left.
    fileprivate var size: String {
        Quantity.bytes(contentBytes) + (isStored ? "" : ", evicted")
    }
}

extension AttachmentUsage: Presentable {
    var json: JSONObject {
        var object = JSONObject()
        object.add("contents", contentCount)
        object.add("bytes", contentBytes)
        object.add("stored_contents", storedCount)
        object.add("stored_bytes", storedBytes)
        object.add("evictable_bytes", evictableBytes)
        object.add("evictable_bytes_max", evictableBytesMax)
        return object
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("contents", "\(contentCount) of \(Quantity.bytes(contentBytes))")
        list.add("stored", "\(storedCount) of \(Quantity.bytes(storedBytes))")
        list.add("evictable", Quantity.bytes(evictableBytes))
        list.add("bound", evictableBytesMax == 0 ? "none" : Quantity.bytes(evictableBytesMax))
        return list
    }
}

extension ListedAttachment: Tabular {
    var json: JSONObject {
        var object = JSONObject()
        object.add("message_id", messageID)
        object.add("position", position)
        object.add("timestamp_microseconds", timestamp.microseconds)
        attachment.add(to: &object)
        return object
    }

    static let record = RecordForm(
        name: "message_id",
        [
            "message_id", "position", "timestamp_microseconds", "name", "mime_type", "bytes", "digest",
            "source", "has_thumbnail", "is_stored",
        ])

    static var columns: [Table.Column] {
        [
            .fixed("time", worth: 4), .extra("message"), .number("place"),
            .text("type", columnsMin: 10, columnsWanted: 10, worth: 3), .number("size", worth: 5),
            .text("name", columnsMin: 16, worth: 9), .extra("digest", worth: 0),
        ]
    }

    var cells: [Table.Cell] {
        [
            Table.Cell(timestamp), Table.Cell(messageID, .dim), Table.Cell("\(position)"),
            Table.Cell(attachment.mimeType), Table.Cell(attachment.size),
            Table.Cell(attachment.name), Table.Cell(attachment.digest, .dim),
        ]
    }
}
