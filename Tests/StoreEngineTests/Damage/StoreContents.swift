@testable import StoreEngine

/// Everything applications have put into a store, read through a reader as the daemon does.
struct StoreContents: Equatable {
    var conversations: [Conversation]
    var messages: [StoredMessage]
    var contacts: [Contact]
    var scenes: [SceneSummary]
    var values: [SceneEntry]
    var logs: [Log]
    var entries: [LogEntry]
    var changes: [Change]

    /// - Throws: the first failure of a read.
    init(_ reader: StoreReader) throws(StoreError) {
        conversations = try reader.conversations(ConversationQuery(limit: 1_000, includeAvatars: true)).conversations
        messages = []
        for conversation in conversations {
            var query = MessageQuery(conversation: .id(conversation.id), limit: 1_000, order: .oldestFirst)
            var hasMore = true
            while hasMore {
                let page = try reader.messages(query)
                messages += page.messages
                query.after = page.last
                hasMore = page.hasMore
            }
        }
        // By the other index as well.
        for message in messages {
            guard try reader.message(message.id) == message else {
                throw StoreError(.internal, "a message reads differently by its id")
            }
        }
        contacts = try reader.contacts(ContactQuery(limit: 1_000, includeAvatars: true)).contacts
        scenes = try reader.scenes(limit: 1_000, cursor: nil).scenes
        values = []
        for scene in scenes {
            values += try reader.sceneValues(
                SceneValueQuery(.sceneAndGlobal(scene.scene), .page(limit: 1_000, cursor: nil)), isWhole: { _ in true }
            ).entries
        }
        logs = try reader.logs(limit: 1_000, cursor: nil).logs
        entries = []
        for log in logs {
            entries += try reader.logEntries(LogQuery(log: log.name, limit: 1_000)).entries
        }
        changes = try reader.changes(after: 0, limit: 1_000).changes
    }
}
