import SQLCipher
import StoreBasics
import Synchronization

/// Threads for reads that may take a while, each with a reader of its own, behind a bounded queue.
final class ReaderPool: Sendable {
    /// A read that waits for a thread.
    struct Work: Sendable {
        /// When statements of it are cut off, of `MonotonicClock`; `nil`: never.
        let deadline: UInt64?
        let run: @Sendable (StoreReader) -> Void
    }

    private struct Queue {
        let waiting = FairQueue<Work>(
            capacity: .init(items: EngineLimits.readQueueRequestsMax), turnCost: 1)
        var isStopping = false
    }

    private let queue = ConditionLock(Queue())
    private let threads: [StoreThread]

    init(threadCount: Int, makeReader: () -> StoreReader) throws(StoreError) {
        var threads: [StoreThread] = []
        for index in 0..<threadCount {
            let reader = makeReader()
            threads.append(
                try StoreThread(name: "store-reader-\(index)") { [queue] in
                    while let work = queue.wait(until: { Self.next(&$0) }) ?? nil {
                        reader.run(work)
                    }
                })
        }
        self.threads = threads
    }

    /// - Throws: `.queueFull`, `.shuttingDown`.
    func submit(_ work: Work, for owner: WorkOwner) throws(StoreError) {
        try queue.signal { queue throws(StoreError) in
            guard !queue.isStopping else {
                throw StoreError(.shuttingDown, "the daemon is stopping; connect again when it is back")
            }
            guard queue.waiting.append(.init(work: work, owner: owner, cost: 1, byteCount: 0)) else {
                throw StoreError(
                    .queueFull, "too many reads are waiting; try again a little later", retryAfterMilliseconds: 100)
            }
        }
    }

    /// Finishes what waits, then ends the threads.
    func stop() {
        queue.broadcast { $0.isStopping = true }
        for thread in threads {
            thread.join()
        }
    }

    /// `.some(nil)` ends a thread.
    private static func next(_ queue: inout Queue) -> Work?? {
        if let item = queue.waiting.next() {
            return .some(item.work)
        }
        return queue.isStopping ? .some(nil) : .none
    }
}

/// Every reader there is, so that locking the store closes all of them.
final class ReaderRegistry: Sendable {
    private struct Weak {
        weak var reader: StoreReader?
    }

    private let source: ReaderSource
    /// Of contents that they read.
    private let files: OpenFiles
    private let readers = Mutex<[Weak]>([])

    init(source: ReaderSource, _ files: OpenFiles) {
        self.source = source
        self.files = files
    }

    func make(waits: Bool = true) -> StoreReader {
        let reader = StoreReader(source: source, waits: waits)
        readers.withLock { readers in
            readers.removeAll { $0.reader == nil }
            readers.append(Weak(reader: reader))
        }
        return reader
    }

    /// Waits for running reads to end, closes every connection and every file of a content.
    ///
    /// - Parameter cuttingOff: ends what runs; nothing may be opened any more.
    func closeAll(cuttingOff: Bool = false) {
        let readers = readers.withLock { $0.compactMap(\.reader) }
        if cuttingOff {
            readers.forEach { $0.cutoff.cutOff() }
        }
        readers.forEach { $0.close() }
        files.closeAll()
    }
}
