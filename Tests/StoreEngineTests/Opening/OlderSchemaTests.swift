import FoundationEssentials
import Testing

@testable import StoreEngine

/// A store that an earlier build has written: Tests/Fixtures/store-version-1 was made by ghoststored 0.1.0 with schema
/// version 1, on a key file of 32 bytes of value 7. It holds one contact and one message, and a backup of them.
@Suite struct OlderSchemaTests {
    let store: TemporaryStore

    init() throws {
        store = try TemporaryStore(open: false)
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/store-version-1")
        for name in ["keyring", "store.db", "backups/\(Self.backup)"] {
            let target = URL(filePath: "\(store.path)/state/\(name)")
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try Data(contentsOf: fixture.appending(path: name)).write(to: target)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target.path)
        }
    }

    private static let backup = "backup-20261121T072735Z-r3-6ddcb8.ghostbackup"

    @Test func `a store of version 1 is brought to this version and loses nothing`() throws {
        store.engine.openWithConfiguredKey(try TemporaryStore.keyFile())
        let reader = store.engine.makeReader()
        #expect(try reader.contact(SessionID("bob"), includeAvatar: false)?.notes == "from version 1")
        #expect(try reader.message(EntityID("m1"))?.text == "one")
        #expect(try store.engine.statistics().revision == 3)
        #expect(try version() == Schema.version)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a store that was migrated takes what its version had not, and opens again`() throws {
        store.engine.openWithConfiguredKey(try TemporaryStore.keyFile())
        let scene = try SceneName("main")
        try store.engine.write(
            .setSceneValues(.sceneAndGlobal(scene), [SceneChange(key: try SceneKey("k"), value: [1])], conditions: []))
        try store.reopen()
        #expect(try store.engine.makeReader().scenes(limit: 10, cursor: nil).scenes.map(\.scene) == [scene])
        #expect(try store.engine.statistics().revision == 5)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a backup of version 1 is verified as it is, and restored into this version`() throws {
        store.engine.openWithConfiguredKey(try TemporaryStore.keyFile())
        #expect(try store.engine.verify(Self.backup).findings == [])
        try store.engine.restore(Self.backup)
        #expect(try version() == Schema.version)
        #expect(try store.engine.makeReader().message(EntityID("m1"))?.text == "one")
        #expect(try expectClean(store.engine) == [])
    }

    private func version() throws -> Int {
        try store.engine.writer.perform { context throws(StoreError) in
            try Schema.version(of: try context.openConnection())
        }
    }
}
