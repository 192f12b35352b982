import FoundationEssentials
import StoreClient
import TestBasics

/// The whole content of a store as its clients read it, by area and name. Revisions are left out, because each store
/// has its own.
struct StoreAreas: Equatable {
    private(set) var texts: [String: [String: String]] = [:]
    private(set) var contents: [String: ContentBytes] = [:]

    /// Returns a line for everything that exists on one side only or differs.
    func differences(from other: StoreAreas) -> [String] {
        var told = Set(contents.keys).union(other.contents.keys).sorted()
            .filter { contents[$0] != other.contents[$0] }
            .map { "content of \($0): \(contents[$0]?.count ?? -1), \(other.contents[$0]?.count ?? -1) bytes" }
        for area in Set(texts.keys).union(other.texts.keys).sorted() {
            let (own, others) = (texts[area] ?? [:], other.texts[area] ?? [:])
            for name in Set(own.keys).union(others.keys).sorted() where own[name] != others[name] {
                told.append("\(area) \(name): \(own[name] ?? "none"), \(others[name] ?? "none")")
            }
        }
        return told
    }

    init(_ client: StoreClient) async throws {
        for contact in try await client.contacts(includeAvatars: true).collect() {
            try add("contacts", contact.id, contact)
        }
        for conversation in try await client.conversations(includeAvatars: true).collect() {
            try add("conversations", conversation.id, conversation)
            try await addMessages(of: conversation.id, client)
        }
        for var draft in try await client.drafts().collect() {
            draft.revision = 0
            try add("drafts", draft.conversationID, draft)
        }
        for scene in try await client.scenes().collect() {
            for var entry in try await client.sceneEntries(scene.scene).collect() {
                entry.revision = 0
                try add("scenes", "\(scene.scene) \(entry.key)", entry)
            }
        }
        for var log in try await client.logs().collect() {
            log.createdRevision = 0
            try add("logs", log.name, log)
            for entry in try await client.logEntries(log.name).collect() {
                try add("log entries", "\(log.name) \(entry.sequence)", entry)
            }
        }
        for area in VaultArea.allCases {
            try await addItems(in: VaultPath(area), client)
        }
    }

    private mutating func add(_ area: String, _ name: String, _ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        texts[area, default: [:]][name] = String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private mutating func addMessages(of conversation: String, _ client: StoreClient) async throws {
        for message in try await client.messages(in: .id(conversation)).collect() {
            try add("messages", message.id, message)
            for var reaction in try await client.reactions(to: message.id).collect() {
                reaction.revision = 0
                try add("reactions", "\(message.id) \(reaction.emoji) \(reaction.authorSessionID)", reaction)
            }
            for index in message.attachments.indices {
                let bytes = try await client.readAttachment(of: message.id, at: index)
                contents["\(message.id) \(index)"] = ContentBytes(bytes)
            }
        }
        for listed in try await client.attachments(of: .conversation(.id(conversation)), withThumbnails: true).collect()
        {
            try add("attachments", "\(listed.messageID) \(listed.position)", listed)
        }
    }

    private mutating func addItems(in directory: VaultPath, _ client: StoreClient) async throws {
        for var item in try await client.vaultItems(in: directory).collect() {
            let path = directory.appending(item.name)
            item.revision = 0
            try add("files", path.description, item)
            if item.kind == .directory {
                try await addItems(in: path, client)
            } else {
                contents[path.description] = ContentBytes(try await client.readFile(at: path))
            }
        }
    }
}
