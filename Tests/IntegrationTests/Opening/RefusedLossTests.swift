import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// Acknowledged changes are missing. The store stays closed until they are put back, or until a person accepts the
/// loss.
@Suite(.oneAtATime) struct RefusedLossTests {
    /// The ways to lose changes of a store that has 20 messages in `store.db` and 20 later ones.
    enum Loss: CaseIterable {
        case damagedRecord, damagedHeader, removedJournal, cutJournal, olderDatabase

        var state: StoreState { self == .olderDatabase ? .rolledBack : .journalDamaged }
        var reason: String { self == .olderDatabase ? "STORE_ROLLED_BACK" : "JOURNAL_DAMAGED" }

        func happen(to daemon: TestDaemon, older: [UInt8]) throws {
            switch self {
            case .damagedRecord: try StateFiles.damage(Self.segmentInUse(daemon), at: 4_096 + 60)
            case .damagedHeader: try StateFiles.damage(Self.segmentInUse(daemon), at: 100)
            case .cutJournal: #expect(truncate(try Self.segmentInUse(daemon), 8_192) == 0)
            case .removedJournal:
                for name in StateFiles(daemon.stateDirectory + "/journal").contents.keys {
                    #expect(unlink("\(daemon.stateDirectory)/journal/\(name)") == 0)
                }
            case .olderDatabase:
                try daemon.directory.write(older, to: "state/store.db")
                unlink(daemon.databasePath + "-wal")
                unlink(daemon.databasePath + "-shm")
            }
        }

        /// Returns the path of the segment with the newest records.
        private static func segmentInUse(_ daemon: TestDaemon) throws -> String {
            let files = StateFiles(daemon.stateDirectory + "/journal").contents.filter { _, bytes in
                bytes.starts(with: Array("ghoststore-jrnl\n".utf8)) && bytes.dropFirst(4_096).contains { $0 != 0 }
            }
            // The segment's number follows after the magic, the version and the generation.
            let last = files.max {
                $0.value.dropFirst(24).prefix(8).lexicographicallyPrecedes($1.value.dropFirst(24).prefix(8))
            }
            return "\(daemon.stateDirectory)/journal/\(try #require(last).key)"
        }
    }

    @Test(arguments: Loss.allCases)
    func `a store that lacks acknowledged changes stays closed until they are put back`(loss: Loss) async throws {
        try await withLoss(loss) { daemon, intact in
            let before = StateFiles(daemon.stateDirectory)
            try await daemon.startAgain()
            try await expectRefusal(daemon, loss)
            try await daemon.terminate()
            // The WAL index (store.db-shm) contains no data, and an empty WAL is the same as none.
            let after = StateFiles(daemon.stateDirectory)
            let ignored = ["lock", "store.db-shm", "store.db-wal"]
            #expect(after.differences(from: before).filter { !ignored.contains($0) } == [])
            #expect(after.contents["store.db-wal"] ?? [] == before.contents["store.db-wal"] ?? [])

            for (name, bytes) in intact.contents {
                try daemon.directory.write(bytes, to: "state/\(name)")
            }
            try await daemon.startAgain()
            let client = try await daemon.connect()
            #expect(try await client.status().storeState == .open)
            #expect(try await client.allMessages("05s").count == 40)
            try await client.expectClean()
            await client.close()
        }
    }

    @Test(arguments: Loss.allCases)
    func `a store whose loss was accepted opens with a new history, and the loss is reported only once`(
        loss: Loss
    ) async throws {
        try await withLoss(loss) { daemon, _ in
            try await daemon.startAgain()
            let client = try await daemon.connect()
            _ = try await client.unlock(secret: keyFile(daemon), acceptingLoss: true)
            let status = try await client.status()
            #expect(status.storeState == .open)
            let messages = try await client.allMessages("05s").count
            #expect(messages >= 20)
            if loss == .olderDatabase {
                #expect(messages == 20 && status.revisionsMissing >= 20)
            }
            #expect(try await client.metrics().contains("ghoststore_revisions_missing \(status.revisionsMissing)\n"))
            let told = daemon.log.split(separator: "\n").filter { $0.contains("acknowledged changes were dropped") }
            #expect(told.count == 1 && told[0].contains("missing_revisions=\(status.revisionsMissing)"), "\(told)")
            // The daemon learns from the journal how many records are missing. Without a journal it logs the number 0.
            if [.olderDatabase, .removedJournal].contains(loss) {
                #expect(told[0].contains("missing_records=0") == (loss == .removedJournal), "\(told)")
            }
            let history = try #require(status.historyID)
            try await client.expectClean()
            _ = try await client.saveMessage(NewMessage(id: "after", conversation: .sessionID("05s"), text: "after"))
            await client.close()

            for isKilled in [true, false] {
                if isKilled {
                    try await daemon.kill9()
                } else {
                    try await daemon.terminate()
                }
                try await daemon.startAgain()
                let again = try await daemon.connect()
                let status = try await again.status()
                #expect(status.storeState == .open && status.historyID == history && status.revisionsMissing == 0)
                #expect(try await again.message("after").text == "after")
                #expect(try await again.allMessages("05s").count == messages + 1)
                await again.close()
            }
        }
    }

    @Test func `accepting a loss changes nothing if nothing is lost`() async throws {
        try await withDaemonAndClient { daemon, client in
            _ = try await client.saveMessage(NewMessage(id: "kept", conversation: .sessionID("05s"), text: "kept"))
            let before = try await client.status()
            try await client.lock()
            _ = try await client.unlock(secret: keyFile(daemon), acceptingLoss: true)
            let after = try await client.status()
            #expect(after.historyID == before.historyID && after.revisionsMissing == 0)
            #expect(try await client.message("kept").text == "kept")
        }
    }

    @Test func `status and metrics report the size of the journal`() async throws {
        try await withDaemonAndClient { _, client in
            let status = try await client.status()
            #expect(status.journalBytes >= 2 << 20)
            #expect(try await client.metrics().contains("ghoststore_journal_bytes \(status.journalBytes)\n"))
        }
    }

    private func withLoss(_ loss: Loss, _ body: (TestDaemon, StateFiles) async throws -> Void) async throws {
        try await withDaemon { daemon in
            try await save(0..<20, daemon)
            try await daemon.terminate()
            let older = try #require(StateFiles(daemon.stateDirectory).contents["store.db"])
            try await daemon.startAgain()
            try await save(20..<40, daemon)
            // A remaining WAL would make the older file newer again, so this case needs a graceful stop.
            if loss == .olderDatabase {
                // After a delete, the journal contains nothing that could be replayed on the older file.
                try await deleteSomething(daemon)
                try await daemon.terminate()
            } else {
                try await daemon.kill9()
            }
            let intact = StateFiles(daemon.stateDirectory)
            try loss.happen(to: daemon, older: older)
            try await body(daemon, intact)
        }
    }

    private func deleteSomething(_ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        _ = try await client.saveMessage(NewMessage(id: "gone", conversation: .sessionID("05gone"), text: "gone"))
        _ = try await client.deleteMessages(["gone"])
        await client.close()
    }

    private func expectRefusal(_ daemon: TestDaemon, _ loss: Loss) async throws {
        let client = try await daemon.connect()
        let status = try await client.status()
        #expect(status.storeState == loss.state)
        #expect(status.storeStateMessage.contains("copy its state directory"), "\(status.storeStateMessage)")
        #expect(!status.storeStateMessage.contains("--accept-loss"), "\(status.storeStateMessage)")
        let read = try await reason { _ = try await client.message("m1") }
        let write = try await reason {
            _ = try await client.saveMessage(NewMessage(conversation: .sessionID("05s"), text: "more"))
        }
        let unlock = try await reason { _ = try await client.unlock(secret: keyFile(daemon)) }
        for met in [read, write, unlock] {
            #expect(met?.rawValue == loss.reason)
        }
        #expect(daemon.log.contains("reason=\(loss.reason)"), "\(daemon.log)")
        #expect(daemon.child?.isRunning == true)
        await client.close()
    }

    private func keyFile(_ daemon: TestDaemon) throws -> SecretInput {
        try SecretInput(kind: .keyFile, file: daemon.keyFilePath)
    }

    private func save(_ numbers: Range<Int>, _ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        for number in numbers {
            _ = try await client.saveMessage(
                NewMessage(
                    id: "m\(number)", conversation: .sessionID("05s"), text: "number \(number)",
                    timestamp: Timestamp(microseconds: Int64(number + 1))))
        }
        await client.close()
    }
}
