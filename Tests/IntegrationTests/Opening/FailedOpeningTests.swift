import FoundationEssentials
import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// A store that cannot be opened. The daemon continues to run, reports the reason and changes nothing.
@Suite(.oneAtATime) struct FailedOpeningTests {
    /// A change to a stopped store, and the state that the daemon must report afterwards.
    enum Mishap: String, CaseIterable, Sendable {
        case wrongKey, keyMissing, keyringDamaged, keyringMissing, keyringEmpty, keyringAndDatabaseMissing,
            firstPageDamaged, databaseMissing, databaseCutShort, newerSchema

        var state: StoreState {
            switch self {
            case .wrongKey: .wrongKey
            case .keyMissing: .keyMissing
            case .keyringDamaged, .keyringMissing, .keyringEmpty, .keyringAndDatabaseMissing: .keyringDamaged
            case .firstPageDamaged, .databaseMissing, .databaseCutShort: .databaseDamaged
            case .newerSchema: .newerSchema
            }
        }

        var reason: String {
            switch state {
            case .wrongKey: "WRONG_KEY"
            case .keyMissing: "KEY_MISSING"
            case .keyringDamaged: "KEYRING_DAMAGED"
            case .newerSchema: "NEWER_SCHEMA"
            default: "DATABASE_DAMAGED"
            }
        }

        func happen(to daemon: TestDaemon) throws {
            let keyring = "\(daemon.stateDirectory)/keyring"
            switch self {
            case .wrongKey: try daemon.directory.write([UInt8](repeating: 1, count: 32), to: "key")
            case .keyMissing: unlink(daemon.keyFilePath)
            case .keyringDamaged: try StateFiles.damage(keyring, at: StateFiles.size(keyring) / 2)
            case .keyringMissing: unlink(keyring)
            case .keyringEmpty: truncate(keyring, 0)
            case .keyringAndDatabaseMissing:
                for file in [keyring] + ["", "-wal", "-shm"].map({ daemon.databasePath + $0 }) {
                    unlink(file)
                }
            case .firstPageDamaged: try StateFiles.damage(daemon.databasePath, at: 100)
            case .databaseMissing: unlink(daemon.databasePath)
            case .databaseCutShort: truncate(daemon.databasePath, 1_000)
            case .newerSchema: try NewerStore.replace(daemon)
            }
        }
    }

    @Test(arguments: Mishap.allCases)
    func `the daemon reports what is wrong with the files and changes no byte`(_ mishap: Mishap) async throws {
        try await withDaemonAndClient { daemon, client in
            _ = try await client.saveMessage(NewMessage(id: "kept", conversation: .sessionID("05kept"), text: "kept"))
            await client.close()
            // After a kill the WAL remains. A damaged database is tested without a WAL, which could contain intact
            // copies of the damaged pages.
            if mishap.state == .databaseDamaged {
                try await daemon.terminate()
            } else {
                try await daemon.kill9()
            }
            let intact = StateFiles(daemon.stateDirectory)
            let key = try #require(FileManager.default.contents(atPath: daemon.keyFilePath))
            try mishap.happen(to: daemon)
            let before = StateFiles(daemon.stateDirectory).without("lock")
            try await daemon.startAgain()
            try await expectRefusal(daemon, mishap)
            // A graceful stop must not change any file either.
            try await daemon.terminate()
            let after = StateFiles(daemon.stateDirectory).without("lock")
            #expect(after.differences(from: before) == [])
            // After all files are put back, the store opens again.
            try daemon.directory.write([UInt8](key), to: "key")
            for (name, bytes) in intact.contents {
                try daemon.directory.write(bytes, to: "state/\(name)")
            }
            try await daemon.startAgain()
            let again = try await daemon.connect()
            #expect(try await again.message("kept").text == "kept")
            await again.close()
        }
    }

    private func expectRefusal(_ daemon: TestDaemon, _ mishap: Mishap) async throws {
        let client = try await daemon.connect()
        let status = try await client.status()
        #expect(status.storeState == mishap.state)
        #expect(!status.storeStateMessage.isEmpty)
        try await client.ping()
        for attempt in 1...2 {
            let read = try await reason { _ = try await client.message("kept") }
            #expect(read?.rawValue == mishap.reason, "read \(attempt)")
            let write = try await reason {
                _ = try await client.saveMessage(NewMessage(conversation: .sessionID("05kept"), text: "more"))
            }
            #expect(write?.rawValue == mishap.reason, "write \(attempt)")
        }
        if mishap.state == .keyringDamaged {
            let made = try await reason {
                _ = try await client.initializeStore(secret: SecretInput(kind: .keyFile, file: daemon.keyFilePath))
            }
            #expect(made?.rawValue == mishap.reason)
        }
        #expect(daemon.child?.isRunning == true)
        await client.close()
    }

    @Test func `each reason has its own message`() async throws {
        var messages: Set<String> = []
        for mishap in [Mishap.wrongKey, .keyMissing, .keyringDamaged, .firstPageDamaged, .newerSchema] {
            try await withDaemon { daemon in
                try await daemon.terminate()
                try mishap.happen(to: daemon)
                try await daemon.startAgain()
                let client = try await daemon.connect()
                messages.insert(try await client.status().storeStateMessage)
                await client.close()
            }
        }
        #expect(messages.count == 5)
    }
}
