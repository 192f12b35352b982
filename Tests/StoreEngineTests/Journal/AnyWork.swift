import StoreBasics
import TestBasics

@testable import StoreEngine

/// Random work of every area, including areas that no archive contains and work that the store does by itself.
struct AnyWork {
    enum Kind: CaseIterable {
        case edits, manyMessages, readConversation, idempotencyKeys, retention, displacedEntries, removals
        case search, startSearchOver, clear, compaction, attachments, refusals, restore
    }

    private let engine: StoreEngine
    private var edits: RandomEdits
    private var generator: SplitMix
    private var count = 0

    init(_ engine: StoreEngine, seed: UInt64) {
        self.engine = engine
        edits = RandomEdits(engine, seed: seed)
        generator = SplitMix(seed: seed)
    }

    mutating func make(_ count: Int) throws {
        for _ in 0..<count {
            // Two thirds of the work are edits. With fewer edits, the store would often be empty after a clear.
            let isEdit = Int.random(in: 0..<3, using: &generator) > 0
            try make(isEdit ? .edits : Kind.allCases.randomElement(using: &generator) ?? .edits)
        }
    }

    mutating func make(_ kind: Kind) throws {
        count += 1
        switch kind {
        case .edits: try edits.make(2)
        case .manyMessages: try saveMany()
        case .readConversation:
            try attempt(.markConversationRead(session()))
            try attempt(.setContactBlocked(SessionID("s1"), count % 2 == 0))
            try attempt(.deleteDraft(session()))
        case .idempotencyKeys: try repeatWrites()
        case .retention: try expire()
        case .displacedEntries: try displace()
        case .removals: try engine.writer.waitForRemovals()
        case .search: _ = try engine.writer.perform { context throws(StoreError) in try SearchUpkeep.step(context) }
        case .startSearchOver:
            try engine.writer.perform { context throws(StoreError) in
                try SearchUpkeep.startOver(.abandoned, context)
                try SearchUpkeep.step(context)
            }
        case .clear:
            // Clears rarely, because most other work needs rows.
            if count % 5 == 0 { try attempt(.clearAllData) }
        case .compaction:
            let revision = try engine.statistics().revision
            try attempt(.compactChanges(throughRevision: revision - min(revision, 3)))
        case .attachments: try engine.writeAttachment([UInt8](repeating: UInt8(count % 7), count: 70_000))
        case .refusals:
            try attempt(.deleteMessages([EntityID("nobody")]))
            try attempt(.deleteLog(LogName("nothing")))
        case .restore: try restore()
        }
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    private mutating func session() throws -> ConversationReference { .session(try SessionID("s\(number(3))")) }

    private mutating func saveMany() throws {
        let conversation = try session()
        let messages = try (0..<30).map { index in
            NewMessage(
                id: try EntityID("many-\(number(60))-\(index)"), conversation: conversation,
                text: String(repeating: "word\(number(20)) ", count: 1 + number(40)),
                timestamp: Timestamp(microseconds: Int64(number(1_000_000_000))), isRead: number(2) == 0)
        }
        try attempt(.saveMessages(messages))
        try attempt(.deleteMessages(messages.prefix(number(12)).compactMap(\.id)))
    }

    private mutating func repeatWrites() throws {
        for _ in 0..<4 {
            let key = try IdempotencyKey("any-key-\(number(6))", userID: UInt32(number(2)))
            let value = SceneChange(key: try SceneKey("kept"), value: [UInt8(number(200))])
            try attempt(.setSceneValues(.globalOnly, [value], conditions: []), key: key)
        }
    }

    private mutating func expire() throws {
        var retention = ConversationRetention()
        retention.keepCount = UInt32(1 + number(20))
        let conversation = try session()
        try attempt(.updateConversation(conversation, ConversationUpdate(retention: RetentionUpdate(all: retention))))
        try attempt(.removeDueMessages)
    }

    /// Appends many small messages, then a large message that overwrites them.
    private mutating func displace() throws {
        let log = try LogName("ring")
        try attempt(.openLog(log, LogConfiguration(maximumBytes: 9_000, overwritesOldest: true)))
        try attempt(.appendLog(LogAppend(log: log, expected: nil, messages: Array(repeating: [1], count: 200))))
        try attempt(
            .appendLog(
                LogAppend(log: log, expected: nil, messages: [[UInt8](repeating: 2, count: 6_000 + number(2_000))])))
    }

    /// Restores an archive of the store into the same store.
    private mutating func restore() throws {
        let table = RecordTable()
        let file = try engine.archive(table)
        try attempt(.deleteConversation(session()))
        try engine.restore(file, table, .merge)
    }

    /// Performs a mutation. The store may refuse it, for example because there is nothing to change.
    private func attempt(_ mutation: Mutation, key: IdempotencyKey? = nil) throws {
        do {
            try engine.write(mutation, key: key)
        } catch let error as StoreError {
            switch error.reason {
            case .internal, .databaseDamaged, .fileDamaged, .storageFailed: throw error
            default: break
            }
        }
    }
}
