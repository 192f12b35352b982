/// What an import wrote.
struct ImportSummary: Sendable {
    var conversationCount = 0
    var contactCount = 0
    var messageCount = 0
    /// Of the messages: how many were not there before.
    var newMessageCount = 0

    static func + (left: ImportSummary, right: ImportSummary) -> ImportSummary {
        ImportSummary(
            conversationCount: left.conversationCount + right.conversationCount,
            contactCount: left.contactCount + right.contactCount, messageCount: left.messageCount + right.messageCount,
            newMessageCount: left.newMessageCount + right.newMessageCount)
    }

    var sentence: String {
        let messages = Quantity.count(messageCount, "message")
        return "imported \(messages) (\(newMessageCount) new), \(Quantity.count(conversationCount, "conversation")), "
            + Quantity.count(contactCount, "contact")
    }

    func json(lineCount: UInt64) -> JSONObject {
        var object = JSONObject()
        object.add("lines", lineCount)
        object.add("messages", messageCount)
        object.add("new_messages", newMessageCount)
        object.add("conversations", conversationCount)
        object.add("contacts", contactCount)
        return object
    }
}
