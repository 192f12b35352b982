import FoundationEssentials
import Glibc
import Logging
import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that a failed sync ends the process, whichever operation asked for the sync.
@Suite struct LostDurabilityTests {
    @Test func `administration that loses durability ends the process`() async {
        await #expect(processExitsWith: .exitCode(74)) {
            let folder = "/tmp/ghoststore-durability-\(getpid())"
            mkdir(folder, 0o700)
            let engine = try StoreEngine(
                configuration: EngineConfiguration(
                    stateDirectory: folder + "/state",
                    onLostDurability: { _ in
                        try? FileManager.default.removeItem(atPath: folder)
                        _exit(74)
                    }),
                logger: Logger(label: "test"))
            try engine.administer { () throws(StoreError) in
                throw StoreError.durabilityLost("a sync failed")
            }
        }
    }

    @Test func `other failures of administration are only thrown`() throws {
        let store = try TemporaryStore(open: false)
        let thrown = #expect(throws: StoreError.self) {
            try store.engine.administer { () throws(StoreError) in
                throw StoreError(.storageFailed, "a file cannot be opened")
            }
        }
        #expect(thrown?.losesDurability == false)
    }

    /// Uses a folder of proc(5), which the kernel cannot sync.
    @Test func `a folder that cannot be synced loses durability`() throws {
        let directory = try StateDirectory(path: "/proc/\(getpid())/fd")
        let thrown = #expect(throws: StoreError.self) { try directory.sync() }
        #expect(thrown?.losesDurability == true)
        #expect(thrown?.reason == .storageFailed)
    }

    /// Tests a commit without an open transaction. SQLite reports SQLITE_ERROR, which does not show whether the commit
    /// is on disk.
    @Test func `a commit with an unknown outcome loses durability`() throws {
        let store = try TemporaryStore()
        let thrown = #expect(throws: StoreError.self) {
            try store.engine.writer.perform { context throws(StoreError) in
                let connection = try context.openConnection()
                try mapped(connection.commit())
            }
        }
        #expect(thrown?.losesDurability == true)
    }
}
