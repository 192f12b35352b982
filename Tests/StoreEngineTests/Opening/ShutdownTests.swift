import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that long work does not delay a stop.
@Suite struct ShutdownTests {
    @Test func `no part of an engine remains after its shutdown, even if it has observers`() throws {
        weak var writer: Writer?
        weak var alarm: RetentionTimer?
        weak var files: FileThread?
        weak var blobs: BlobThread?
        do {
            let store = try TemporaryStore()
            let engine = store.engine
            (writer, alarm, files, blobs) = (engine.writer, engine.retentionTimer, engine.files, engine.blobs)
            _ = engine.observeCommits { _ in _ = engine.state }
            _ = engine.observeEndings { _ in _ = engine.state }
            try engine.saveNumbered(0..<2)
        }
        #expect(writer == nil && alarm == nil && files == nil && blobs == nil)
    }

    @Test func `a running check ends when the engine is shut down`() throws {
        let store = try TemporaryStore()
        try Self.fill(store.engine)
        let engine = store.engine
        let outcome = OneShot<Result<CheckReport, StoreError>>()
        let hasBegun = OneShot<Bool>()
        let thread = try StoreThread(name: "test-check") {
            outcome.set(
                Result { () throws(StoreError) in
                    try engine.check { progress in
                        // The check waits here until the engine is stopping, however fast the check is.
                        if progress.done == 0 {
                            hasBegun.set(true)
                            while (try? engine.interruption.check()) != nil {}
                        }
                    }
                })
        }
        _ = hasBegun.wait()
        engine.shutDown()
        thread.join()
        #expect(throws: StoreError.self) { try outcome.wait().get() }
        guard case .failure(let error) = outcome.wait() else { return }
        #expect(error.reason == .shuttingDown)
    }

    @Test func `a running backup ends when the engine is shut down and leaves no file`() throws {
        let store = try TemporaryStore()
        try Self.fill(store.engine)
        let engine = store.engine
        let outcome = OneShot<Result<BackupInfo, StoreError>>()
        let hasBegun = OneShot<Bool>()
        let thread = try StoreThread(name: "test-backup") {
            outcome.set(
                Result { () throws(StoreError) in
                    try engine.createBackup { _ in
                        hasBegun.set(true)
                        while (try? engine.interruption.check()) != nil {}
                    }
                })
        }
        _ = hasBegun.wait()
        engine.shutDown()
        thread.join()
        guard case .failure(let error) = outcome.wait() else {
            Issue.record("the backup was finished")
            return
        }
        #expect(error.reason == .shuttingDown)
        try store.reopen()
        #expect(try store.engine.listBackups().isEmpty)
    }

    /// Saves so much that a backup takes several steps.
    private static func fill(_ engine: StoreEngine) throws {
        let text = String(repeating: "x", count: 100_000)
        for _ in 0..<20 {
            try engine.write(.saveMessage(NewMessage(conversation: .session(SessionID("05long")), text: text)))
        }
    }
}
