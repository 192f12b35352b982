import StoreClient

extension Attachment {
    fileprivate static let fields: [JSONFields<Attachment>.Field] = [
        .field("name", \.name), .field("mime_type", \.mimeType), .field("bytes", \.contentBytes),
        .field("digest", \.digest), .field("source") { $0.source ?? "" }, .field("has_thumbnail", \.hasThumbnail),
        .field("is_stored", \.isStored),
        .field("metadata", ifPresent: { $0.metadata.map { Base64.text($0.data) } }),
        .field("metadata_type", ifPresent: { $0.metadata.flatMap { $0.type.isEmpty ? nil : $0.type } }),
    ]

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

/// An attachment in a list of several conversations, with the name of its conversation.
struct PlacedAttachmentRow: Tabular {
    let listed: ListedAttachment
    let conversation: ShownName

    var json: JSONObject { listed.json }

    static var record: RecordForm { ListedAttachment.record }

    static let table: [TableColumn<PlacedAttachmentRow>] =
        ListedAttachment.table.prefix(1).map { $0.within(\.listed) }
        + [.init(.text("conversation", columnsMin: 12, worth: 6), \.conversation.cell)]
        + ListedAttachment.table.dropFirst().map { $0.within(\.listed) }
}

extension DisplayNames {
    func row(_ listed: ListedAttachment) async throws(StoreClientError) -> PlacedAttachmentRow {
        PlacedAttachmentRow(listed: listed, conversation: try await conversation(listed.conversationID))
    }
}
