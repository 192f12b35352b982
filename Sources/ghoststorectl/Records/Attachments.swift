import StoreClient

extension Attachment {
    fileprivate static let fields: [JSONFields<Attachment>.Field] =
        [
            .field("name", \.name), .field("mime_type", \.mimeType), .field("bytes", \.contentBytes),
            .field("digest", \.digest), .field("source") { $0.source ?? "" }, .field("has_thumbnail", \.hasThumbnail),
            .field("is_stored", \.isStored),
        ] + Metadata.fields.map { $0.within(\.metadata) }

    var json: JSONObject { JSONFields(name: "name", Self.fields).json(self) }

    /// The attachment as a phrase for people.
    var phrase: String {
        "\(name.isEmpty ? "unnamed" : name) (\(mimeType), \(size))"
    }

    /// The size as text. If the content was evicted, the store still knows its size, and the text says that it was
    /// evicted.
    fileprivate var size: String {
        Quantity.bytes(contentBytes) + (isStored ? "" : ", evicted")
    }
}

extension AttachmentUsage: Presentable {
    var json: JSONObject {
        [
            "contents": contentCount, "bytes": contentBytes, "stored_contents": storedCount,
            "stored_bytes": storedBytes, "evictable_bytes": evictableBytes, "evictable_bytes_max": evictableBytesMax,
        ]
    }

    var fields: FieldList {
        [
            "contents": "\(contentCount) (\(Quantity.bytes(contentBytes)))",
            "stored": "\(storedCount) (\(Quantity.bytes(storedBytes)))", "evictable": Quantity.bytes(evictableBytes),
            "bound": evictableBytesMax == 0 ? "none" : Quantity.bytes(evictableBytesMax),
        ]
    }
}

extension ListedAttachment: Tabular, Described {
    static let description = JSONFields<ListedAttachment>(
        name: "message_id",
        [
            .field("message_id", \.messageID), .field("position", \.position),
            .field("timestamp_microseconds", \.timestamp),
        ] + Attachment.fields.map { $0.within(\.attachment) } + [.field("conversation_id", \.conversationID)])

    static let table: [TableColumn<ListedAttachment>] = [
        .init(.fixed("time", worth: 4), \.timestamp), .init(.extra("message")) { Table.Cell($0.messageID, .dim) },
        .init(.number("place"), \.position),
        .init(.text("type", columnsMin: 10, columnsWanted: 10, worth: 3), \.attachment.mimeType),
        .init(.number("size", worth: 5), \.attachment.size),
        .init(.text("name", columnsMin: 16, worth: 9), \.attachment.name),
        .init(.extra("digest", worth: 0)) { Table.Cell($0.attachment.digest, .dim) },
    ]
}

extension DisplayNames {
    func row(_ listed: ListedAttachment) async throws(StoreClientError) -> PlacedRow<ListedAttachment> {
        PlacedRow(row: listed, conversation: try await conversation(listed.conversationID))
    }
}
