import StoreBasics
import StoreCrypto

@testable import StoreEngine

/// Work of every kind, in an order in which each has something to do. Some of it is refused.
enum FailedWorks {
    static let ann = ConversationReference.session(SessionID(trusted: "ann"))
    static let bob = ConversationReference.session(SessionID(trusted: "bob"))
    static let ring = LogName(trusted: "ring")

    /// Returns the mutations that must come first, because the writes of `filler` need a conversation and a log.
    static func preparation() throws -> [Mutation] {
        [
            .getOrCreateConversation(SessionID(trusted: "ann"), id: EntityID(trusted: "c-ann"), displayName: "Ann"),
            .openLog(ring, LogConfiguration(maximumBytes: 400, overwritesOldest: true)),
        ]
    }

    /// Returns a write that is unrelated to all other work, and for which the writer keeps something in memory.
    static func filler(_ number: Int) throws -> Mutation {
        switch number % 4 {
        case 0:
            let change = SceneChange(key: SceneKey(trusted: "filler"), value: [UInt8(number % 256)])
            return .setSceneValues(.sceneAndGlobal(SceneName(trusted: "fillers")), [change], conditions: [])
        case 1: return .saveMessage(try message("filler-\(number)", to: ann, "filler"))
        case 2:
            let bytes = [UInt8](repeating: UInt8(number % 256), count: 10 + number % 60)
            return .appendLog(LogAppend(log: ring, expected: nil, messages: [bytes]))
        default:
            let bytes = [UInt8](repeating: 1, count: 1 + number % 50)
            return .saveFile(try FilePath(.temporary, "filler"), bytes, createsParents: false)
        }
    }

    /// Returns the check of the writer's memory, with the names that the work uses.
    static func memory() throws -> WriterMemory {
        let sessions = ["ann", "bob", "cid", "dan", "eve"].map { ConversationReference.session(SessionID(trusted: $0)) }
        let ids = ["c-ann", "c-bob", "c-eve"].map { ConversationReference.id(EntityID(trusted: $0)) }
        return WriterMemory(
            conversations: sessions + ids, logs: ["ring", "kept", "news", "restored"].map { LogName(trusted: $0) })
    }

    static func message(
        _ id: String, to conversation: ConversationReference, _ text: String, at second: Int64 = 1,
        _ attachments: [NewAttachment] = []
    ) throws -> NewMessage {
        NewMessage(
            id: try EntityID(id), conversation: conversation, text: "word \(text)",
            timestamp: Timestamp(microseconds: 1_600_000_000_000_000 + second * 1_000_000), attachments: attachments)
    }

    static func all() throws -> [FailedWork] {
        let mutations = try messages() + conversations() + people() + state()
        return try mutations.map { .request($0) } + [.indexing] + FailedFileWorks.all() + attachments() + ends()
    }

    private static func messages() throws -> [Mutation] {
        let small = try AttachmentStore.attachment("small")
        return [
            .getOrCreateConversation(SessionID(trusted: "bob"), id: EntityID(trusted: "c-bob"), displayName: nil),
            .saveMessage(try message("m1", to: ann, "one")),
            .saveMessage(try message("m2", to: ann, "two", at: 2, [small])),
            .saveMessage(try message("m3", to: .session(SessionID(trusted: "cid")), "three", at: 3)),
            .saveMessages([
                try message("m4", to: ann, "four", at: 4), try message("m5", to: bob, "five", at: 5),
                try message("m6", to: .session(SessionID(trusted: "dan")), "six", at: 6, [small]),
            ]),
            .saveMessage(try message("m1", to: bob, "moved", at: 7)),
            .saveMessage(try message("m4", to: ann, "other text", at: 4, [AttachmentStore.attachment("other")])),
            .updateMessageStatus([EntityID(trusted: "m2"), EntityID(trusted: "m4")], .delivered),
            .markMessagesRead([EntityID(trusted: "m2"), EntityID(trusted: "m5")]),
            .editMessage(EntityID(trusted: "m2"), text: "edited other", editedAt: nil),
            .addReaction(try reaction("m2", "ann", "👍")), .addReaction(try reaction("m2", "bob", "🎉")),
            .removeReaction(try reaction("m2", "ann", "👍")),
            .markConversationRead(ann),
            .deleteMessages([EntityID(trusted: "m2"), EntityID(trusted: "m6")]),
            .deleteMessages([EntityID(trusted: "m4"), EntityID(trusted: "nobody")]),
        ]
    }

    private static func reaction(_ message: String, _ author: String, _ emoji: String) throws -> ReactionReference {
        ReactionReference(
            messageID: EntityID(trusted: message), authorSessionID: SessionID(trusted: author), emoji: try Emoji(emoji))
    }

    private static func conversations() throws -> [Mutation] {
        let timer = MessageTimer(lifetime: try RetentionPeriod(milliseconds: 100_000), start: .sending)
        let retention = ConversationRetention(messageTimer: timer, keepCount: 3)
        let draft = try AttachmentStore.attachment("of a draft")
        return [
            .getOrCreateConversation(SessionID(trusted: "eve"), id: EntityID(trusted: "c-eve"), displayName: "Eve"),
            .getOrCreateConversation(SessionID(trusted: "eve"), id: nil, displayName: nil),
            .updateConversation(ann, ConversationUpdate(displayName: "Anna", avatar: [1, 2], isPinned: true)),
            .updateConversation(bob, ConversationUpdate(retention: RetentionUpdate(all: retention))),
            .updateConversation(ann, ConversationUpdate(kind: "group", metadata: try Metadata(data: [1], type: "a/b"))),
            .setMembers(ann, [ConversationMember(sessionID: SessionID(trusted: "eve"), name: "Eve", role: "admin")]),
            .setMembers(ann, [ConversationMember(sessionID: SessionID(trusted: "eve"), name: "Eva")]),
            .removeMembers(ann, [SessionID(trusted: "eve"), SessionID(trusted: "nobody")]),
            .saveMessages(try (0..<5).map { try message("b\($0)", to: bob, "text \($0)", at: 10 + Int64($0)) }),
            .saveMessage(try message("b9", to: bob, "late", at: 20)),
            .saveDraft(NewDraft(conversation: bob, content: DraftContent(text: "draft"), attachments: [draft])),
            .saveDraft(NewDraft(conversation: ann, content: DraftContent(text: "draft"))),
            .saveMessage(try message("b10", to: bob, "instead of the draft", at: 21), clearsDraft: true),
            .deleteDraft(ann),
            .deleteConversation(.session(SessionID(trusted: "eve"))),
        ]
    }

    private static func people() throws -> [Mutation] {
        let ann = SessionID(trusted: "ann")
        return [
            .saveContact(ContactUpdate(sessionID: ann, id: EntityID(trusted: "p-ann"), avatar: [7])),
            .saveContact(ContactUpdate(sessionID: ann, displayName: "Anna", notes: "notes")),
            .setContactBlocked(ann, true),
            .saveContact(ContactUpdate(sessionID: SessionID(trusted: "x"), id: EntityID(trusted: "p-x"))),
            .deleteContact(ann),
        ]
    }

    private static func state() throws -> [Mutation] {
        func change(_ key: String, _ value: UInt8?) -> SceneChange {
            SceneChange(key: SceneKey(trusted: key), value: value.map { [$0] })
        }
        let (scene, news) = (SceneName(trusted: "scene"), LogName(trusted: "news"))
        let kept = LogName(trusted: "kept")
        let wrong = SceneCondition(key: SceneKey(trusted: "a"), revision: 1)
        return [
            .setSceneValues(.sceneAndGlobal(scene), [change("a", 1), change("b", 2), change("c", 3)], conditions: []),
            .setSceneValues(.sceneAndGlobal(scene), [change("a", 4), change("d", 5)], conditions: []),
            .setSceneValues(.sceneAndGlobal(scene), [change("a", 6)], conditions: [wrong]),
            .setSceneValues(.sceneOnly(scene), [change("b", nil), change("e", 7)], conditions: []),
            .setSceneValues(.globalOnly, [change("a", nil), change("f", 8)], conditions: []),
            .removeScene(scene),
            .openLog(news, LogConfiguration(maximumBytes: 300, overwritesOldest: true)),
            append(news, 6, of: 20), append(news, 1, of: 120), append(news, 3, of: 60),
            .openLog(news, LogConfiguration(maximumBytes: 300, overwritesOldest: true), isReplicated: true),
            append(news, 2, of: 30),
            .openLog(kept, LogConfiguration(maximumBytes: 200, overwritesOldest: false)),
            append(kept, 3, of: 30), append(kept, 3, of: 60),
            .deleteLog(news),
        ]
    }

    private static func append(_ log: LogName, _ count: Int, of byteCount: Int) -> Mutation {
        let messages = (0..<count).map { [UInt8](repeating: UInt8($0), count: byteCount) }
        return .appendLog(LogAppend(log: log, expected: nil, messages: messages))
    }

    /// Returns work on contents with a source: a content that was read recently stays, and another one is evicted.
    private static func attachments() throws -> [FailedWork] {
        func save(_ id: String) throws -> FailedWork {
            let content = try AttachmentStore.attachment(String(repeating: id, count: 75), source: "there")
            return .request(.saveMessage(try message(id, to: ann, "with \(id)", at: 40, [content])))
        }
        return [
            try save("x1"), .removal, .time(seconds: 10), try save("x2"), .time(seconds: 10),
            .reading(EntityID(trusted: "x1")), .removal, .time(seconds: 10), try save("x3"), .removal,
        ]
    }

    /// Returns the last work, which deletes nearly everything.
    private static func ends() throws -> [FailedWork] {
        [
            .request(.saveMessage(try message("k1", to: ann, "keyed", at: 50)), try IdempotencyKey("key of k1")),
            .request(.saveMessage(try message("k1", to: ann, "keyed", at: 50)), try IdempotencyKey("key of k1")),
            .request(.restore(try FailedFileWorks.archived())), .indexing,
            .request(.deleteConversation(.session(SessionID(trusted: "cid")))), .removal,
            .time(seconds: 90), .request(.removeDueMessages), .removal, .indexing,
            .time(seconds: 3_700), .request(.removeDueMessages), .removal,
            .request(.compactChanges(throughRevision: 20)), .removal,
            .request(.clearAllData),
            .request(.saveMessage(try message("n1", to: ann, "new", at: 60))), .removal, .indexing,
            .request(.clearAllDataLeavingGroup), .removal,
            .request(.saveMessage(try message("n2", to: bob, "newer", at: 61))),
        ]
    }
}
