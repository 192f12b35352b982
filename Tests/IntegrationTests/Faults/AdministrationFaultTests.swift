import GhostTestSupport
import Glibc
import StoreClient
import Testing

/// System calls that fail during a restore, during a rotation or while a store is created. If the daemon answers, its
/// response is true, even after a restart. If it does not answer, it has ended, and the next daemon has either the old
/// state or the new one. The daemon never continues to run without the store that it had.
///
/// The tests make every call of a function fail in turn. With FAULT_STEPS of 10 or more they do so for all functions.
@Suite(.oneAtATime) struct AdministrationFaultTests {
    private static let functions =
        Settings.number("FAULT_STEPS", default: 2) < 10
        ? ["mkdir", "rename", "renameat"]
        : [
            "mkdir", "rmdir", "rename", "renameat", "linkat", "unlink", "unlinkat", "open", "openat", "fsync",
            "fdatasync", "write", "pwrite", "ftruncate",
        ]
    private static let errors = Settings.number("FAULT_STEPS", default: 2) < 10 ? [ENOSPC] : [ENOSPC, EIO]

    @Test(arguments: functions, errors)
    func `a failed call in a restore leaves the old store or the restored one`(
        function: String, error: Int32
    ) async throws {
        let template = try await FaultTemplate()
        try await template.failEachCall(of: function, error) { client in
            _ = try await client.restoreBackup(template.backup, replaceExisting: true)
        } expecting: { outcome, _, client in
            let count = try await client.allMessages(FaultTemplate.conversation).count
            let isRestored = count == FaultTemplate.backedUpCount
            #expect(isRestored || count == FaultTemplate.savedCount)
            #expect(outcome == .unanswered || isRestored == (outcome == .done), "restored: \(isRestored)")
        }
    }

    @Test(arguments: functions, errors)
    func `a failed call in a rotation leaves the old key or the new one`(
        function: String, error: Int32
    ) async throws {
        let template = try await FaultTemplate()
        try await template.failEachCall(of: function, error) { client in
            let rotations = try await client.rotateMasterKey()
            #expect(rotations == 1)
        } expecting: { outcome, isRestarted, client in
            let count = try await client.allMessages(FaultTemplate.conversation).count
            #expect(count == FaultTemplate.savedCount)
            guard isRestarted else { return }
            let rotations = try await client.rotateMasterKey()
            #expect((1...2).contains(rotations))
            #expect(outcome == .unanswered || rotations == (outcome == .done ? 2 : 1), "rotations: \(rotations)")
        }
    }

    @Test func `when a sync fails while a backup is created or deleted, the response is true`() async throws {
        let template = try await FaultTemplate()
        try await template.failEachCall(of: "fsync", EIO) { client in
            _ = try await client.createBackup()
        } expecting: { outcome, _, client in
            let count = try await client.backups().count
            #expect(outcome == .unanswered || count == (outcome == .done ? 2 : 1), "backups: \(count)")
        }
        try await template.failEachCall(of: "fsync", EIO) { client in
            try await client.deleteBackup(template.backup)
        } expecting: { outcome, _, client in
            let count = try await client.backups().count
            #expect(outcome == .unanswered || count == (outcome == .done ? 0 : 1), "backups: \(count)")
        }
    }

    @Test(arguments: functions, errors)
    func `a failed call while a store is created leaves no store or a complete one`(
        function: String, error: Int32
    ) async throws {
        for call in 1...FaultTemplate.callsMax {
            let daemon = try TestDaemon.prepare(.uninitialized)
            let fault = Fault(function: function, call: call, error: error)
            let child = try await daemon.launch(with: fault, .uninitialized)
            try #require(try await daemon.answers(child))
            let outcome = try await FaultOutcome(daemon, child) { client in
                _ = try await client.initializeStore(
                    secret: SecretInput(kind: .keyFile, file: daemon.keyFilePath), lowCost: true)
            }
            let comment: Comment = "\(fault): \(outcome)"
            if outcome != .unanswered {
                #expect(try await state(daemon) == (outcome == .done ? .open : .absent), comment)
            }
            try await daemon.kill9()
            try await daemon.startAgain()
            let state = try await state(daemon)
            #expect(state == .locked || state == .absent, comment)
            #expect(outcome == .unanswered || (state == .locked) == (outcome == .done), comment)
            if state == .locked {
                try await expectWhole(daemon)
            }
            let hasFailed = daemon.hasFailed
            try await daemon.kill9()
            guard hasFailed else { break }
        }
    }

    private func state(_ daemon: TestDaemon) async throws -> StoreState {
        let client = try await daemon.connect()
        let state = try await client.status().storeState
        await client.close()
        return state
    }

    private func expectWhole(_ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        _ = try await client.unlock(secret: SecretInput(kind: .keyFile, file: daemon.keyFilePath))
        _ = try await client.saveContact(ContactUpdate(sessionID: "05usable"))
        try await client.expectClean()
        await client.close()
    }
}
