import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics

/// A store of a daemon to come: Tests/Fixtures/store-newer-schema holds one message and was given schema version 1000,
/// on a key file of 32 bytes of value 7.
enum NewerStore {
    /// Puts it in the place of a stopped daemon's store.
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
