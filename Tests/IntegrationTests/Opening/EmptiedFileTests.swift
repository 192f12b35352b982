import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// Empty files, as a full disk, an interrupted copy or a file system repair leaves them.
@Suite(.oneAtATime) struct EmptiedFileTests {
    @Test(arguments: [0, 1, 100, 2_047], [true, false])
    func `an emptied store file is not taken for a new store, and no file changes until it is put back`(
        bytesLeft: Int, isKilled: Bool
    ) async throws {
        try await withDaemon { daemon in
            try await save(40, daemon)
            if isKilled {
                try await daemon.kill9()
            } else {
                try await daemon.terminate()
            }
            let before = StateFiles(daemon.stateDirectory)
            let whole = try #require(before.contents["store.db"])
            try daemon.directory.write(Array(whole.prefix(bytesLeft)), to: "state/store.db")

            try await daemon.startAgain()
            let client = try await daemon.connect()
            let status = try await client.status()
            #expect(status.storeState == .databaseDamaged)
            #expect(status.storeStateMessage.contains("store.db"))
            let met = try await reason { _ = try await client.message("m1") }
            #expect(met?.rawValue == "DATABASE_DAMAGED")
            let write = try await reason {
                _ = try await client.saveMessage(NewMessage(conversation: .sessionID("05s"), text: "more"))
            }
            #expect(write?.rawValue == "DATABASE_DAMAGED")
            await client.close()
            try await daemon.terminate()
            let ignored = ["store.db", "store.db-shm", "lock", "reserve"]
            let changed = StateFiles(daemon.stateDirectory).differences(from: before).filter { !ignored.contains($0) }
            #expect(changed == [])
            #expect(StateFiles.size(daemon.databasePath) == bytesLeft)

            try daemon.directory.write(whole, to: "state/store.db")
            try await daemon.startAgain()
            let again = try await daemon.connect()
            #expect(try await again.allMessages("05s").count == 40)
            try await again.expectClean()
            await again.close()
        }
    }

    enum LogLoss: CaseIterable {
        case removed, emptied, cut, damaged, removedWhileOpen, emptiedWhileOpen

        func happen(to daemon: TestDaemon) async throws {
            let log = daemon.databasePath + "-wal"
            switch self {
            case .removedWhileOpen: #expect(unlink(log) == 0)
            case .emptiedWhileOpen: #expect(truncate(log, 0) == 0)
            case .removed, .emptied, .cut, .damaged: break
            }
            try await daemon.kill9()
            switch self {
            case .removed: #expect(unlink(log) == 0)
            case .emptied: #expect(truncate(log, 0) == 0)
            case .cut: #expect(truncate(log, off_t(StateFiles.size(log) / 2)) == 0)
            case .damaged: try StateFiles.damage(log, at: 32 + 24 + 500)
            case .removedWhileOpen, .emptiedWhileOpen: break
            }
        }
    }

    @Test(arguments: LogLoss.allCases)
    func `losing the WAL loses no acknowledged write`(loss: LogLoss) async throws {
        try await withDaemon { daemon in
            try await save(40, daemon)
            try await loss.happen(to: daemon)
            try await daemon.startAgain()
            let client = try await daemon.connect()
            let status = try await client.status()
            #expect(status.storeState == .open)
            #expect(status.revisionsMissing == 0 && status.revision >= 40)
            #expect(try await client.allMessages("05s").count == 40)
            try await client.expectClean()
            await client.close()
        }
    }

    private func save(_ count: Int, _ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        for number in 0..<count {
            _ = try await client.saveMessage(
                NewMessage(
                    id: "m\(number)", conversation: .sessionID("05s"), text: "number \(number)",
                    timestamp: Timestamp(microseconds: Int64(number + 1))))
        }
        await client.close()
    }
}
