import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics

/// A store of a future version: Tests/Fixtures/store-newer-schema has one message and schema version 1000. Its key file
/// is 32 bytes of value 7.
enum NewerStore {
    /// Replaces the store of a stopped daemon with this one.
    static func replace(_ daemon: TestDaemon) throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/store-newer-schema")
        unlink(daemon.databasePath + "-wal")
        unlink(daemon.databasePath + "-shm")
        for name in ["keyring", "store.db"] {
            try daemon.directory.write([UInt8](Data(contentsOf: fixture.appending(path: name))), to: "state/\(name)")
        }
        try daemon.directory.write([UInt8](repeating: 7, count: 32), to: "key")
    }
}
