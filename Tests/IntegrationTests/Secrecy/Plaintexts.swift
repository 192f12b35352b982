import StoreClient

/// Everything a person would not want to find on the disk, each unlike any other bytes there are.
struct Plaintexts {
    private static let mark = UInt64.random(in: .min ... .max)

    let text = "the first text \(mark)"
    let editedText = "the text after the edit \(mark)"
    let deletedText = "a text that was deleted \(mark)"
    let longText = String(repeating: "a long text \(mark) ", count: 20_000)
    let sessionID = "05session\(mark)"
    let senderID = "05sender\(mark)"
    let displayName = "Zoë 由美 \(mark)"
    let contactSessionID = "05contact\(mark)"
    let notes = "notes about a person \(mark)"
    let attachmentURL = "https://files.example/\(mark)"
    let messageID = "message-\(mark)"
    let avatar = Array("avatar bytes \(mark)".utf8)

    /// What is looked for.
    var all: [String] {
        [
            text, editedText, deletedText, "a long text \(Self.mark)", sessionID, senderID, displayName,
            contactSessionID, notes, attachmentURL, messageID, String(decoding: avatar, as: UTF8.self),
            // Whatever else was written down of any of them.
            "\(Self.mark)",
            // Names of tables: the schema is no secret, but it is only readable in a file that is not encrypted.
            "CREATE TABLE", "SQLite format 3",
        ]
    }

    func save(_ client: StoreClient) async throws {
        let conversation = ConversationReference.sessionID(sessionID)
        _ = try await client.getOrCreateConversation(sessionID: sessionID, displayName: displayName)
        _ = try await client.updateConversation(conversation, ConversationUpdate(avatar: .set(avatar)))
        _ = try await client.saveMessage(
            NewMessage(
                id: messageID, conversation: conversation, text: text, senderSessionID: senderID,
                attachmentURL: attachmentURL, attachmentType: "image/png"))
        let deleted = try await client.saveMessage(NewMessage(conversation: conversation, text: deletedText))
        _ = try await client.deleteMessages(deleted.ids)
        _ = try await client.editMessage(messageID, text: editedText)
        _ = try await client.saveContact(
            ContactUpdate(
                sessionID: contactSessionID, displayName: .set(displayName), avatar: .set(avatar), notes: .set(notes)))
    }

    /// More than the writer's cache holds, in one transaction: pages are written before it ends.
    func saveMuch(_ client: StoreClient) async throws {
        let conversation = ConversationReference.sessionID(sessionID)
        _ = try await client.saveMessages(
            (0..<15).map { _ in NewMessage(conversation: conversation, text: longText) })
    }
}
