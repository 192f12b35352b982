import StoreClient

extension Draft: Presentable, Named {
    var json: JSONObject {
        var object = JSONObject()
        object.add("conversation_id", conversationID)
        object.add("text", text)
        object.add("attachment_url", ifPresent: attachmentURL)
        object.add("attachment_type", ifPresent: attachmentType)
        object.add("reply_to_message_id", ifPresent: replyToMessageID)
        object.add("updated_at_microseconds", updatedAt.microseconds)
        object.add("revision", revision)
        object.add("attachments", attachments.map(\.json))
        return object
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("conversation", conversationID)
        list.add("attachment url", ifPresent: attachmentURL)
        list.add("attachment type", ifPresent: attachmentType)
        list.add("reply to", ifPresent: replyToMessageID)
        for attachment in attachments {
            list.add("attachment", attachment.phrase)
        }
        list.add("updated", updatedAt)
        list.add("revision", revision)
        list.add("text", lines: text)
        return list
    }

    static let record = RecordForm(
        name: "conversation_id",
        [
            "conversation_id", "text", "attachment_url", "attachment_type", "reply_to_message_id",
            "updated_at_microseconds", "revision", "attachments",
        ])
}

/// A draft in a list, with the name of its conversation.
struct DraftRow: Tabular {
    let draft: Draft
    let conversation: ShownName

    var json: JSONObject { draft.json }

    static var record: RecordForm { Draft.record }

    static var columns: [Table.Column] {
        [
            .fixed("updated", worth: 4), .text("conversation", columnsMin: 12, worth: 6),
            .text("text", columnsMin: 16, columnsWanted: 50, worth: 9),
        ]
    }

    var cells: [Table.Cell] {
        [Table.Cell(draft.updatedAt), conversation.cell, Table.Cell(draft.text)]
    }
}

extension DisplayNames {
    func row(_ draft: Draft) async throws(StoreClientError) -> DraftRow {
        DraftRow(draft: draft, conversation: try await conversation(draft.conversationID))
    }
}
