import SQLCipher
import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that locking a store interrupts long work: the work ends without a result, and then the keys are wiped.
@Suite struct LockUnderWorkTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
        let text = String(repeating: "x", count: 100_000)
        for _ in 0..<20 {
            try store.engine.write(
                .saveMessage(NewMessage(conversation: .session(try SessionID("05long")), text: text)))
        }
    }

    /// Runs work that waits in its first progress report until the store is being locked.
    ///
    /// - Returns: the reason for which the work ended.
    private func reason(
        _ work: @escaping @Sendable (StoreEngine, (Progress) -> Void) throws(StoreError) -> Void
    ) throws -> ErrorReason? {
        let engine = store.engine
        return try reason(work) {
            try engine.lock()
            #expect(engine.state == .locked)
            #expect(try engine.keys.withDatabaseKey { key throws(StoreError) in key == nil })
        }
    }

    /// Runs work that waits in its first progress report until `end` interrupts it.
    ///
    /// - Returns: the reason for which the work ended.
    private func reason(
        _ work: @escaping @Sendable (StoreEngine, (Progress) -> Void) throws(StoreError) -> Void,
        endedBy end: () throws -> Void
    ) throws -> ErrorReason? {
        let engine = store.engine
        let hasBegun = OneShot<Bool>()
        let outcome = OneShot<ErrorReason?>()
        try OwnThread.start {
            do throws(StoreError) {
                try work(engine) { _ in
                    hasBegun.set(true)
                    // The store may be locked and unlocked while this thread does not run, so the state alone is not
                    // enough.
                    while engine.state == .open, (try? engine.interruption.check()) != nil {}
                }
                outcome.set(nil)
            } catch {
                outcome.set(error.reason)
            }
        }
        _ = hasBegun.wait()
        try end()
        return outcome.wait()
    }

    private func expectWhole() throws {
        _ = try store.engine.unlock(secret: try TemporaryStore.keyFile())
        #expect(try store.engine.statistics().messageCount == 20)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a check ends when the store is locked, and reports no damage`() throws {
        #expect(
            try reason { engine, progress throws(StoreError) in _ = try engine.check(progress: progress) }
                == .storeLocked)
        try expectWhole()
    }

    @Test func `a backup ends when the store is locked, and leaves no file`() throws {
        #expect(
            try reason { engine, progress throws(StoreError) in _ = try engine.createBackup(progress: progress) }
                == .storeLocked)
        #expect(try store.engine.listBackups().isEmpty)
        try expectWhole()
    }

    @Test func `a rotation ends when the store is locked, and the old key stays`() throws {
        #expect(
            try reason { engine, progress throws(StoreError) in _ = try engine.rotateMasterKey(progress: progress) }
                == .storeLocked)
        try expectWhole()
        #expect(try store.engine.rotateMasterKey { _ in } == 1)
    }

    @Test func `verifying a backup ends when the store is locked`() throws {
        let name = try store.engine.createBackup { _ in }.name
        #expect(
            try reason { engine, progress throws(StoreError) in
                _ = try engine.verifyBackup(name: name, secret: nil, progress: progress)
            } == .storeLocked)
        try expectWhole()
        #expect(try store.engine.verifyBackup(name: name, secret: nil) { _ in }.findings.isEmpty)
    }

    @Test func `a running statement ends when the store is locked`() throws {
        let engine = store.engine
        let hasBegun = OneShot<Bool>()
        let outcome = OneShot<ErrorReason?>()
        try OwnThread.start {
            let reader = engine.makeReader()
            do throws(StoreError) {
                _ = try reader.read { connection throws(StoreError) in
                    hasBegun.set(true)
                    return try mapped(
                        connection.integer(
                            """
                            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n
                            """))
                }
                outcome.set(nil)
            } catch {
                outcome.set(error.reason)
            }
        }
        _ = hasBegun.wait()
        try engine.lock()
        #expect(outcome.wait() == .storeLocked)
        try expectWhole()
    }

    @Test func `waiting writes are committed before the store is locked`() throws {
        let gate = OneShot<Bool>()
        try store.engine.writer.hold(until: gate)
        let outcomes = Seen<Bool>()
        for _ in 0..<5 {
            store.engine.submit(
                WriteRequest(.saveMessage(NewMessage(conversation: .session(try SessionID("05long")), text: "")))
            ) { outcomes.add((try? $0.get()) != nil) }
        }
        gate.set(true)
        try store.engine.lock()
        #expect(outcomes.all == Array(repeating: true, count: 5))
    }

    @Test func `a rotation ends when the engine is shut down`() throws {
        #expect(
            try reason {
                engine, progress throws(StoreError) in
                _ = try engine.rotateMasterKey(progress: progress)
            } endedBy: {
                try store.reopen()
            } == .shuttingDown)
        #expect(try store.engine.statistics().messageCount == 20)
    }
}
