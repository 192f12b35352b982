import StoreClient

/// Data of every kind that must not be readable on the disk. Every text is unique.
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
    let scene = "scene \(mark)"
    let sceneKey = "key.\(mark)"
    let sceneValue = "a scene's value \(mark)"
    let logName = "log/\(mark)"
    let logMessage = Array("a log's message \(mark)".utf8)
    let importedText = "a text out of a message file \(mark)"
    let avatar = Array("avatar bytes \(mark)".utf8)

    /// The texts to search for.
    var all: [String] {
        [
            text, editedText, deletedText, "a long text \(Self.mark)", sessionID, senderID, displayName,
            contactSessionID, notes, attachmentURL, messageID, scene, sceneKey, sceneValue, logName,
            String(decoding: logMessage, as: UTF8.self), importedText, String(decoding: avatar, as: UTF8.self),
            // Every text contains the mark, so searching for it also finds parts and changed copies of the texts.
            "\(Self.mark)",
            // The schema itself is no secret, but its words can be read only in a file that is not encrypted.
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
        try await saveScenesAndLogs(client)
        try await importMessageFile(client)
    }

    /// Saves a value that is replaced, a value that all scenes share, and log messages that newer ones overwrite.
    private func saveScenesAndLogs(_ client: StoreClient) async throws {
        for number in 0..<3 {
            _ = try await client.setSceneValues(scene, [.set(sceneKey, .string("\(sceneValue) \(number)"))])
        }
        try await client.openLog(logName, LogConfiguration(maximumBytes: 256, overwritesOldest: true))
        for _ in 0..<10 {
            try await client.append([logMessage], toLog: logName)
        }
    }

    /// Imports a file with one message in the format of proto-docs/BLOBS.md.
    private func importMessageFile(_ client: StoreClient) async throws {
        let text = Array(importedText.utf8)
        let file = [1, 0, 0, 0, UInt8(text.count), 0, 0, 0] + text + [1, 0] + [UInt8](repeating: 0, count: 8)
        let session = try await client.beginBlobImport(
            BlobImportOptions(conversation: .sessionID(sessionID), importID: "import"))
        try await client.writeBlobImport(session, offset: 0, data: file)
        _ = try await client.finishBlobImport(session)
    }

    /// Saves more in one transaction than the writer's cache holds, so that pages are written before the transaction
    /// ends.
    func saveMuch(_ client: StoreClient) async throws {
        let conversation = ConversationReference.sessionID(sessionID)
        for _ in 0..<3 {
            _ = try await client.saveMessages(
                (0..<5).map { _ in NewMessage(conversation: conversation, text: longText) })
        }
    }
}
