import StoreClient

extension Draft: Presentable, Described {
    static let description = JSONFields<Draft>(
        name: "conversation_id",
        [
            .field("conversation_id", \.conversationID), .field("text", \.text),
            .field("attachment_url", ifPresent: \.attachmentURL),
            .field("attachment_type", ifPresent: \.attachmentType),
            .field("reply_to_message_id", ifPresent: \.replyToMessageID),
            .field("updated_at_microseconds", \.updatedAt), .field("revision", \.revision),
            .field("attachments") { $0.attachments.map(\.json) },
        ])

    var fields: FieldList {
        var list: FieldList = [
            "conversation": conversationID, "attachment url": attachmentURL, "attachment type": attachmentType,
            "reply to": replyToMessageID,
        ]
        for attachment in attachments {
            list.add("attachment", attachment.phrase)
        }
        list.add("updated", updatedAt)
        list.add("revision", revision)
        list.add("text", FieldList.Content(lines: text))
        return list
    }
}

/// A draft in a list, with the name of its conversation.
struct DraftRow: Tabular {
    let draft: Draft
    let conversation: ShownName

    var json: JSONObject { draft.json }

    static var record: RecordForm { Draft.record }

    static let table: [TableColumn<DraftRow>] = [
        .init(.fixed("updated", worth: 4), \.draft.updatedAt),
        .init(.text("conversation", columnsMin: 12, worth: 6), \.conversation.cell),
        .init(.text("text", columnsMin: 16, columnsWanted: 50, worth: 9), \.draft.text),
    ]
}

extension DisplayNames {
    func row(_ draft: Draft) async throws(StoreClientError) -> DraftRow {
        DraftRow(draft: draft, conversation: try await conversation(draft.conversationID))
    }
}
