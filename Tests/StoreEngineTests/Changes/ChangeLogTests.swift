import StoreBasics
import Synchronization
import Testing

@testable import StoreEngine

@Suite struct ChangeLogTests {
    let store: TemporaryStore
    let reader: StoreReader

    init() throws {
        store = try TemporaryStore()
        reader = store.engine.makeReader()
    }

    func save(_ count: Int) throws {
        try store.engine.write(
            .saveMessages(
                (0..<count).map { _ in NewMessage(conversation: .session(try SessionID("a")), text: "x") }))
    }

    @Test func `revisions have no gaps, and changes can be read from any revision`() throws {
        for _ in 0..<20 { try save(3) }
        let all = try reader.changes(after: 0, limit: 1_000).changes
        #expect(all.map(\.revision) == Array(1...61))
        let some = try reader.changes(after: 17, limit: 10)
        #expect(some.changes.map(\.revision) == Array(18...27))
        #expect(some.hasMore)
        #expect(some.revision == 61)
    }

    @Test func `a large commit is recorded completely`() throws {
        let count = EngineLimits.requestEntitiesMax
        let changes = try (0..<count).map { SceneChange(key: try SceneKey("k\($0)"), value: [1]) }
        try store.engine.write(.setSceneValues(.sceneAndGlobal(try SceneName("s")), changes, conditions: []))
        var revision: UInt64 = 0
        while true {
            let page = try reader.changes(after: revision, limit: 99)
            for change in page.changes {
                #expect(change.revision == revision + 1)
                revision = change.revision
            }
            guard page.hasMore else { break }
        }
        #expect(revision == 2 * UInt64(count))
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `compaction removes exactly the requested changes`() throws {
        for _ in 0..<5 { try save(4) }
        try store.engine.write(.compactChanges(throughRevision: 10))
        let error = #expect(throws: StoreError.self) { try reader.changes(after: 9, limit: 10) }
        #expect(error?.reason == .changesCompacted)
        #expect(try reader.changes(after: 10, limit: 100).changes.first?.revision == 11)
        try store.engine.write(.compactChanges(throughRevision: .max / 4))
        #expect(try reader.changes(after: 21, limit: 1).changes.isEmpty)
        try store.reopen()
        #expect(try store.engine.statistics().messageCount == 20)
        #expect(try store.engine.statistics().compactedThroughRevision == 21)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `observers receive every commit in order`() throws {
        let heard = Mutex<[UInt64]>([])
        let observation = store.engine.observeCommits { changes in
            heard.withLock { $0 += changes.map(\.revision) }
        }
        try save(3)
        try save(2)
        observation.cancel()
        try save(1)
        #expect(heard.withLock { $0 } == Array(1...6))
    }

    @Test func `deletes leave tombstones`() throws {
        try save(1)
        let id = try EntityID(try reader.changes(after: 1, limit: 1).changes[0].id)
        try store.engine.write(.deleteMessages([id]))
        let last = try #require(try reader.changes(after: 2, limit: 1).changes.first)
        #expect(last.operation == .deleted)
        #expect(last.id == id.text)
        try store.engine.write(.clearAllData)
        #expect(try reader.changes(after: 3, limit: 1).changes.first?.operation == .cleared)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a codec decodes what it has encoded, and bytes that were cut are refused or decode to fewer entries`()
        throws
    {
        let entries = [
            ChangeEntry(kind: .message, operation: .created, id: "m", parent: "c"),
            ChangeEntry(
                kind: .message, operation: .deleted, id: String(repeating: "x", count: 128), parent: "c"),
            ChangeEntry(
                kind: .message, operation: .updated, id: "m", parent: "c", detail: .messageContent, kindName: "notice"),
            ChangeEntry(kind: .conversation, operation: .updated, id: "c", parent: "", kindName: "group"),
            ChangeEntry(kind: .store, operation: .cleared, id: "", parent: ""),
        ]
        let bytes = ChangeCodec.encode(entries[...])
        #expect(try bytes.withUnsafeBytes { bytes in Result { try ChangeCodec.decode(bytes) } }.get() == entries)
        for length in 1..<bytes.count {
            let cut = Array(bytes.prefix(length))
            let decoded = cut.withUnsafeBytes { cut in Result { try ChangeCodec.decode(cut) } }
            if let whole = try? decoded.get() {
                #expect(whole == Array(entries.prefix(whole.count)))
            }
        }
    }

    @Test func `a filtered list has all matching changes, whatever the size of its pages`() throws {
        try store.engine.saveNumbered(0..<30)
        try store.engine.write(.saveContact(ContactUpdate(sessionID: try SessionID("bob"))))
        try store.engine.write(
            .setSceneValues(
                .sceneAndGlobal(try SceneName("main")), [SceneChange(key: try SceneKey("k"), value: [1])],
                conditions: []))
        try store.engine.write(.deleteContact(try SessionID("bob")))
        try store.engine.write(
            .saveMessage(NewMessage(conversation: .session(SessionID("ann")), text: "", kind: "call")))
        let all = try reader.changes(after: 0, limit: 1_000)
        let conversation = try #require(all.changes.first).id
        for filter in [
            ChangeFilter(), ChangeFilter(kinds: [.contact]), ChangeFilter(kinds: [.message, .log]),
            ChangeFilter(conversationID: conversation), ChangeFilter(scene: "main"), ChangeFilter(scene: "none"),
            ChangeFilter(kindName: "call"),
        ] {
            for limit in [1, 7, 1_000] {
                var (found, after): ([Change], UInt64) = ([], 0)
                while true {
                    let page = try reader.changes(after: after, limit: limit, filter)
                    #expect(page.changes.count <= limit)
                    #expect(page.throughRevision >= page.changes.last?.revision ?? after)
                    found += page.changes
                    after = page.throughRevision
                    guard page.hasMore else { break }
                }
                #expect(found == all.changes.filter(filter.matches))
                #expect(after == all.revision)
            }
        }
    }

    @Test func `a page ends after a number of examined changes even if none matches`() throws {
        let step = EngineLimits.requestEntitiesMax
        for start in stride(from: 0, to: EngineLimits.changePageRowsMax, by: step) {
            try store.engine.write(.saveMessages(try (start..<start + step).map { try StoreEngine.numbered($0) }))
        }
        let page = try reader.changes(after: 0, limit: 10, ChangeFilter(kinds: [.log]))
        #expect(page.changes.isEmpty && page.hasMore)
        #expect(page.throughRevision == UInt64(EngineLimits.changePageRowsMax))
        let rest = try reader.changes(after: page.throughRevision, limit: 10, ChangeFilter(kinds: [.log]))
        #expect(!rest.hasMore && rest.throughRevision == page.revision)
    }
}
