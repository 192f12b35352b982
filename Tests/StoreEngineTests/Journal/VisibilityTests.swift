import Glibc
import StoreBasics
import Synchronization
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that acknowledged writes are visible to all readers immediately, and that only synced writes are visible.
@Suite struct VisibilityTests {
    private let store: TemporaryStore
    private static let writerCount = 4
    private static let writesPerThread = 60

    init() throws {
        store = try TemporaryStore()
    }

    /// The highest acknowledged revision, and the highest revision that is certainly synced.
    private final class Progress: Sendable {
        let answered = Atomic<UInt64>(0)
        let synced = Atomic<UInt64>(0)
        let failures = Mutex<[String]>([])
        let isDone = Atomic(false)
        let compared = Atomic(0)

        func fail(_ failure: String) {
            failures.withLock { $0.append(failure) }
        }
    }

    /// Starts a thread that writes, and reads each acknowledged write with a reader of its own.
    private func startWriter(_ number: Int, _ progress: Progress) throws -> StoreThread {
        let engine = store.engine
        return try StoreThread(name: "test-writer") {
            let reader = engine.makeReader()
            for count in 0..<Self.writesPerThread {
                do {
                    let id = try EntityID("message-\(number)-\(count)")
                    let message = NewMessage(
                        id: id, conversation: .session(try SessionID("s\(number)")), text: "\(count)")
                    let commit = try engine.commit(.saveMessage(message))
                    progress.answered.max(commit.revision, ordering: .sequentiallyConsistent)
                    if try reader.message(id) == nil {
                        progress.fail("\(id) is answered and not seen")
                    }
                } catch {
                    progress.fail("\(error)")
                }
            }
        }
    }

    private func startReader(_ progress: Progress) throws -> StoreThread {
        let engine = store.engine
        return try StoreThread(name: "test-reader") {
            let reader = engine.makeReader()
            while !progress.isDone.load(ordering: .sequentiallyConsistent) {
                let answered = progress.answered.load(ordering: .sequentiallyConsistent)
                let seen: UInt64
                do {
                    seen = try reader.changes(after: 0, limit: 1).revision
                } catch {
                    progress.fail("\(error)")
                    return
                }
                progress.compared.add(1, ordering: .relaxed)
                let synced = progress.synced.load(ordering: .sequentiallyConsistent)
                if seen < answered {
                    progress.fail("\(answered) was answered and a read sees \(seen)")
                }
                if seen > synced {
                    progress.fail("a read sees \(seen) and only \(synced) are synced")
                }
            }
        }
    }

    @Test func `every reader sees acknowledged writes, and none sees writes that are not synced`() throws {
        let progress = Progress()
        let observation = store.engine.observeCommits { changes in
            progress.synced.max(changes.last?.revision ?? 0, ordering: .sequentiallyConsistent)
        }
        defer { observation.cancel() }
        let readers = try (0..<3).map { _ in try startReader(progress) }
        let writers = try (0..<Self.writerCount).map { try startWriter($0, progress) }
        writers.forEach { $0.join() }
        progress.isDone.store(true, ordering: .sequentiallyConsistent)
        readers.forEach { $0.join() }
        #expect(progress.failures.withLock { $0 } == [])
        #expect(progress.compared.load(ordering: .relaxed) > 0)
        #expect(try store.engine.statistics().messageCount == Self.writerCount * Self.writesPerThread)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a reader that never waits can check if writes are not visible yet, and wait for them`() throws {
        let reader = store.engine.makeReaderWithoutVisibilityWait()
        let engine = store.engine
        let wasBehind = Atomic(false)
        let observation = engine.observeCommits { _ in
            // This runs after the sync and before the acknowledgement.
            wasBehind.store(engine.hasUnseenWrites, ordering: .relaxed)
        }
        defer { observation.cancel() }
        try engine.saveNumbered(0..<1)
        let wasBehindThen = wasBehind.load(ordering: .relaxed)
        #expect(wasBehindThen)
        let outcome = OneShot<Bool>()
        engine.makeWritesVisible { result in outcome.set((try? result.get()) != nil) }
        #expect(outcome.wait())
        #expect(!engine.hasUnseenWrites)
        #expect(try reader.message(EntityID("m0")) != nil)
    }

    @Test func `writes that were acknowledged before a lock are visible after the unlock`() throws {
        for round in 0..<5 {
            let engine = store.engine
            let answered = Mutex<[EntityID]>([])
            let threads = try (0..<3).map { number in
                try StoreThread(name: "test-writer") {
                    for count in 0..<200 {
                        guard let id = try? EntityID("lock-\(round)-\(number)-\(count)"),
                            (try? engine.write(
                                .saveMessage(NewMessage(id: id, conversation: .session(SessionID("lock")), text: "t"))))
                                != nil
                        else { return }
                        answered.withLock { $0.append(id) }
                    }
                }
            }
            while answered.withLock({ $0.count < 20 }) { sched_yield() }
            try engine.lock()
            threads.forEach { $0.join() }
            #expect(!engine.hasUnseenWrites)
            _ = try engine.unlock(secret: TemporaryStore.keyFile())
            let reader = engine.makeReader()
            let ids = answered.withLock { $0 }
            #expect(try ids.filter { try reader.message($0) == nil } == [])
        }
        #expect(try expectClean(store.engine) == [])
    }
}
