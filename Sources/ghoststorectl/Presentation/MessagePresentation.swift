import StoreClient

extension MessageStatus {
    /// As the command line and the JSON write it.
    var word: String {
        switch self {
        case .pending: "pending"
        case .sent: "sent"
        case .delivered: "delivered"
        case .failed: "failed"
        }
    }

    init?(word: String) {
        guard let status = Self.allCases.first(where: { $0.word == word }) else {
            return nil
        }
        self = status
    }

    var style: Style? {
        switch self {
        case .pending: .yellow
        case .failed: .red
        case .sent, .delivered: nil
        }
    }
}

extension Message: Presentable, Tabular {
    var json: JSONObject {
        MessageLine(message: self, conversationSessionID: nil, withStoreTimes: true).object(withKind: false)
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("id", id)
        list.add("conversation", conversationID)
        list.add("direction", isOutgoing ? "outgoing" : "incoming")
        list.add("sender", ifPresent: senderSessionID)
        list.add("recipient", ifPresent: recipientSessionID)
        list.add("time", timestamp.description)
        list.add("status", status.word)
        list.add("read", isRead)
        list.add("attachment url", ifPresent: attachmentURL)
        list.add("attachment type", ifPresent: attachmentType)
        list.add("reply to", ifPresent: replyToMessageID)
        list.add("created", createdAt.description)
        list.add("edited", ifPresent: editedAt?.description)
        list.add("text", lines: text)
        return list
    }

    static var columns: [Table.Column] {
        [.fixed("time"), .fixed(""), .fixed("status"), .fixed("id"), .text("text", columnsMin: 16)]
    }

    var cells: [Table.Cell] {
        [
            Table.Cell(timestamp.shortText, .dim), Table.Cell(isOutgoing ? "→" : isRead ? "←" : "←*"),
            Table.Cell(status.word, status.style), Table.Cell(id, .dim), Table.Cell(text),
        ]
    }
}
