import FoundationEssentials
import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests a store that a later version of the program has written.
@Suite struct NewerSchemaTests {
    @Test func `a store of a later version is refused and no byte of it is changed`() throws {
        let store = try TemporaryStore()
        try Self.writeNewerVersion(store.engine)
        store.engine.shutDown()
        let before = try Self.files(store)
        try store.reopen()
        try Self.expectRefusal(store.engine)
        store.engine.shutDown()
        #expect(try Self.files(store) == before)
    }

    @Test func `a later version that is only in the WAL is refused too`() throws {
        let newer = try TemporaryStore()
        try Self.writeNewerVersion(newer.engine)
        // These are the files as `kill -9` leaves them, because the engine still has them open.
        let left = try Self.files(newer)
        #expect(left["store.db-wal"]?.isEmpty == false)
        let store = try TemporaryStore(open: false)
        for (name, bytes) in left {
            try bytes.write(to: URL(filePath: "\(store.path)/state/\(name)"))
        }
        let before = try Self.files(store)
        store.engine.openWithConfiguredKey(try TemporaryStore.keyFile())
        try Self.expectRefusal(store.engine)
        store.engine.shutDown()
        #expect(try Self.files(store) == before)
        try store.reopen()
        try Self.expectRefusal(store.engine)
    }

    private static func writeNewerVersion(_ engine: StoreEngine) throws {
        try engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(
                connection.execute("PRAGMA user_version = \(Schema.version + 1)"))
        }
    }

    private static func expectRefusal(_ engine: StoreEngine) throws {
        guard case .failed(let error) = engine.state else {
            Issue.record("the state is \(engine.state)")
            return
        }
        #expect(error.reason == .newerSchema)
        #expect(error.message.contains("\(Schema.version + 1)"))
        let read = #expect(throws: StoreError.self) { try engine.makeReader().message(EntityID("one")) }
        #expect(read?.reason == .newerSchema)
        let written = #expect(throws: StoreError.self) { try engine.write(.deleteMessages([EntityID("one")])) }
        #expect(written?.reason == .newerSchema)
    }

    /// Returns the files of a store, except the file `lock` and the index of the WAL, which every start creates.
    private static func files(_ store: TemporaryStore) throws -> [String: Data] {
        let folder = store.path + "/state"
        var files: [String: Data] = [:]
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        for name in names where !["lock", "store.db-shm"].contains(name) {
            files[name] = FileManager.default.contents(atPath: "\(folder)/\(name)")
        }
        return files
    }
}
