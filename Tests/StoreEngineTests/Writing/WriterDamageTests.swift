import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct WriterDamageTests {
    private static func set(_ value: [UInt8]) throws -> Mutation {
        .setSceneValues(.globalOnly, [SceneChange(key: try SceneKey("key"), value: value)], conditions: [])
    }

    /// Tests a write that replaces a value, one page of which is damaged. SQLite does not commit the transaction of
    /// this write, but SQLite's result code does not show that.
    @Test func `a write that meets a damaged page is refused and not committed, and reads still work`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<3)
        try store.engine.write(Self.set([UInt8](repeating: 7, count: 1 << 19)))
        let revision = try store.engine.statistics().revision
        store.engine.shutDown()
        let path = store.statePath + "/store.db"
        var bytes = try TestFile.read(path)
        bytes[bytes.count / 2] ^= 1
        try TestFile.write(bytes, to: path)
        try store.reopen()
        #expect(reason { try store.engine.write(Self.set([1])) } == .databaseDamaged)
        #expect(try store.engine.hasNumbered(2))
        #expect(try !expectClean(store.engine).isEmpty)
        #expect(try store.engine.statistics().revision == revision)
    }
}
