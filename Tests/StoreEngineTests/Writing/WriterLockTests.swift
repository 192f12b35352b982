import Glibc
import StoreBasics
import Synchronization
import Testing

@testable import StoreEngine

@Suite struct WriterLockTests {
    /// Checks a value whose computation changes the lock. `#expect` does not accept a mutating call.
    private func check(_ isTrue: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(isTrue, sourceLocation: sourceLocation)
    }

    @Test func `only one thread at a time has the writer lock`() {
        var lock = WriterLock()
        check(!lock.borrow())
        lock.leave(isLent: true, milliseconds: nil)
        check(lock.borrow())
        check(!lock.borrow())
        check(lock.reacquire() == nil)
        _ = lock.giveBack(isLent: true)
        check(lock.reacquire() == .afterLoans)
        check(!lock.borrow())
        lock.leave(isLent: false, milliseconds: nil)
        check(!lock.borrow())
        check(lock.reacquire() == .asLeft)
    }

    @Test func `the writer thread is woken after a loan unless it wakes soon by itself`() {
        for (milliseconds, isWoken) in [(nil, true), (1_000, true), (1, false), (0, false)] as [(Int?, Bool)] {
            var lock = WriterLock()
            lock.leave(isLent: true, milliseconds: milliseconds)
            check(lock.borrow())
            check(lock.giveBack(isLent: true) == isWoken)
        }
        var lock = WriterLock()
        lock.leave(isLent: true, milliseconds: 1)
        check(lock.borrow())
        // The time for which the lock was lent is over.
        check(lock.reacquire() == nil)
        check(lock.giveBack(isLent: true))
        // The writer thread gets the lock before the next caller does.
        check(!lock.borrow())
        check(lock.reacquire() == .afterLoans)
        lock.leave(isLent: true, milliseconds: 1)
        check(lock.borrow())
    }

    @Test func `a queue with waiting work does not lend the lock, and neither does a queue that stops`() throws {
        func left() -> WriteQueue {
            var queue = WriteQueue()
            queue.writerLock.leave(isLent: true, milliseconds: nil)
            return queue
        }
        var queue = left()
        try check(queue.borrowWriterLock())
        queue = left()
        try queue.append(WriteQueue.Write(request: WriteRequest(.clearAllData)) { _ in })
        try check(!queue.borrowWriterLock())
        queue = left()
        try queue.append(WriteQueue.Exclusive(turn: .next) { _ in })
        try check(!queue.borrowWriterLock())
        queue = left()
        check(queue.append(question: {}))
        try check(!queue.borrowWriterLock())
        queue = left()
        check(queue.append(commitPages: { _ in }) == nil)
        try check(!queue.borrowWriterLock())
        queue = left()
        queue.stop()
        #expect(throws: StoreError.self) { _ = try queue.borrowWriterLock() }
    }

    @Test func `a disk counts as quick after several quick syncs, and as slow for a while after a slow one`() {
        var pace = SyncPace()
        var now: UInt64 = 1_000_000_000
        func sync(_ microseconds: UInt64) {
            pace.recordSync(from: now, to: now + microseconds * 1_000)
            now += microseconds * 1_000
        }
        #expect(!pace.isQuick)
        for _ in 0..<20 { sync(100) }
        #expect(pace.isQuick)
        sync(50_000)
        #expect(!pace.isQuick)
        for _ in 0..<20 { sync(100) }
        #expect(!pace.isQuick)
        now += 100_000_000
        sync(100)
        #expect(pace.isQuick)
        for _ in 0..<20 { sync(900) }
        #expect(!pace.isQuick)
    }
}

/// Tests writes on the caller's thread, mixed with all other work on a store.
@Suite struct WriteHereTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private static func message(_ number: Int, _ count: Int) throws -> NewMessage {
        NewMessage(
            id: try EntityID("m-\(number)-\(count)"), conversation: .session(try SessionID("s\(number)")),
            text: "\(count)")
    }

    /// Performs a write.
    ///
    /// - Returns: true if the result was delivered on this thread.
    private func writesHere(_ mutation: Mutation) throws -> Bool {
        let outcome = OneShot<Result<MutationResult, StoreError>>()
        let wasHere = Atomic(false)
        let caller = pthread_self()
        store.engine.submit(WriteRequest(mutation), here: true) { result in
            // The threads are compared inside the callback, because the writer's thread may be so fast that it answers
            // before `submit` returns.
            wasHere.store(pthread_equal(pthread_self(), caller) != 0, ordering: .sequentiallyConsistent)
            outcome.set(result)
        }
        _ = try outcome.wait().get()
        return wasHere.load(ordering: .sequentiallyConsistent)
    }

    @Test func `a single thread does short writes itself, and no others`() throws {
        var here = 0
        for count in 0..<400 where try writesHere(.saveMessage(Self.message(1, count))) {
            here += 1
        }
        // The disk of the test machine may be slow for a moment, or always.
        let isQuick = try store.engine.writer.perform { context in context.acceptsShortWrites }
        #expect(here > 50 || !isQuick)
        #expect(try !writesHere(.markConversationRead(.session(try SessionID("s1")))))
        #expect(try !writesHere(.deleteConversation(.session(try SessionID("s1")))))
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `writes that several threads do themselves are in order, visible at once, and survive a kill`() throws {
        let engine = store.engine
        let failures = Mutex<[String]>([])
        let last = Mutex<UInt64>(0)
        let observation = engine.observeCommits { changes in
            last.withLock { last in
                for change in changes {
                    if change.revision != last + 1 { failures.withLock { $0.append("\(change.revision)") } }
                    last = change.revision
                }
            }
        }
        defer { observation.cancel() }
        last.withLock { $0 = (try? engine.statistics().revision) ?? 0 }
        let threads = try (0..<3).map { number in
            try StoreThread(name: "test-writer") {
                let reader = engine.makeReader()
                for count in 0..<150 {
                    do {
                        try engine.write(.saveMessage(try Self.message(number, count)))
                        if count % 10 == 0, try reader.message(EntityID("m-\(number)-\(count)")) == nil {
                            failures.withLock { $0.append("\(number) \(count) is not seen") }
                        }
                        if count % 50 == 7 {
                            // Work that needs exclusive access to the writer.
                            _ = try engine.writer.perform { $0.statistics.revision }
                        }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        threads.forEach { $0.join() }
        #expect(failures.withLock { $0 } == [])
        let killed = try TemporaryStore(placing: StoreSpecimen.files(of: store))
        #expect(try killed.engine.statistics() == engine.statistics())
        #expect(try killed.engine.statistics().messageCount == 450)
        #expect(try expectClean(killed.engine) == [])
    }

    @Test func `a store can be locked and opened while a thread does its own writes`() throws {
        let engine = store.engine
        let answered = Atomic(0)
        let isDone = Atomic(false)
        let thread = try StoreThread(name: "test-writer") {
            var count = 0
            while !isDone.load(ordering: .sequentiallyConsistent) {
                count += 1
                if let message = try? Self.message(0, count), (try? engine.write(.saveMessage(message))) != nil {
                    answered.add(1, ordering: .sequentiallyConsistent)
                }
            }
        }
        for _ in 0..<10 {
            let before = answered.load(ordering: .sequentiallyConsistent)
            while answered.load(ordering: .sequentiallyConsistent) < before + 30 {}
            try engine.lock()
            _ = try engine.unlock(secret: TemporaryStore.keyFile())
        }
        isDone.store(true, ordering: .sequentiallyConsistent)
        thread.join()
        #expect(try engine.statistics().messageCount == answered.load(ordering: .sequentiallyConsistent))
        #expect(try expectClean(engine) == [])
    }
}
