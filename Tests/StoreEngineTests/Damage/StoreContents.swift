import StoreBasics

@testable import StoreEngine

/// Everything that applications have saved in a store, read with a reader as the daemon does.
struct StoreContents: Equatable {
    var conversations: [Conversation]
    var messages: [StoredMessage]
    var drafts: [Draft]
    var contacts: [Contact]
    var scenes: [SceneSummary]
    var values: [SceneEntry]
    var logs: [Log]
    var entries: [LogEntry]
    var changes: [Change]

    /// Reads the content.
    ///
    /// - Throws: the first failure of a read.
    init(_ reader: StoreReader) throws(StoreError) {
        conversations = try Self.allPages { cursor throws(StoreError) in
            var query = ConversationQuery(limit: 1_000, includeAvatars: true)
            query.cursor = cursor
            let page = try reader.conversations(query)
            return (page.conversations, page.nextCursor)
        }
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
        // Each message is also read by its id, which uses another index.
        for message in messages {
            guard try reader.message(message.id) == message else {
                throw StoreError(.internal, "a message reads differently by its id")
            }
        }
        drafts = try Self.allPages { cursor throws(StoreError) in
            let page = try reader.drafts(limit: 1_000, cursor: cursor)
            return (page.drafts, page.nextCursor)
        }
        contacts = try Self.allPages { cursor throws(StoreError) in
            var query = ContactQuery(limit: 1_000, includeAvatars: true)
            query.cursor = cursor
            let page = try reader.contacts(query)
            return (page.contacts, page.nextCursor)
        }
        scenes = try Self.allPages { cursor throws(StoreError) in
            let page = try reader.scenes(limit: 1_000, cursor: cursor)
            return (page.scenes, page.nextCursor)
        }
        values = []
        for scene in scenes {
            values += try Self.allPages { cursor throws(StoreError) in
                let query = SceneValueQuery(.sceneAndGlobal(scene.scene), .page(limit: 1_000, cursor: cursor))
                let page = try reader.sceneValues(query, isWhole: { _ in true })
                return (page.entries, page.nextCursor)
            }
        }
        logs = try Self.allPages { cursor throws(StoreError) in
            let page = try reader.logs(limit: 1_000, cursor: cursor)
            return (page.logs, page.nextCursor)
        }
        entries = []
        for log in logs {
            entries += try reader.logEntries(LogQuery(log: log.name, limit: 1_000)).entries
        }
        changes = try reader.changes(after: 0, limit: 1_000).changes
    }

    /// Reads all pages of a list. On a slow machine a page may end early, however few rows it has.
    private static func allPages<Row>(
        _ read: (_ cursor: String?) throws(StoreError) -> (rows: [Row], nextCursor: String?)
    ) throws(StoreError) -> [Row] {
        var rows: [Row] = []
        var cursor: String?
        repeat {
            let page = try read(cursor)
            rows += page.rows
            cursor = page.nextCursor
        } while cursor != nil
        return rows
    }

    /// Returns the names of the parts that differ.
    func differences(from other: StoreContents) -> [String] {
        [
            ("conversations", conversations == other.conversations), ("messages", messages == other.messages),
            ("drafts", drafts == other.drafts), ("contacts", contacts == other.contacts),
            ("scenes", scenes == other.scenes),
            ("values", values == other.values), ("logs", logs == other.logs), ("entries", entries == other.entries),
            ("changes", changes == other.changes),
        ].filter { !$0.1 }.map(\.0)
    }
}
