import SQLCipher
import StoreBasics
import Synchronization

/// Threads for reads that may take long. Each thread has its own reader; the reads wait in a bounded queue.
final class ReaderPool: Sendable {
    /// A read that waits for a thread.
    struct Work: Sendable {
        /// The time of `MonotonicClock` at which the read's statements are interrupted; `nil` for never.
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
                throw StoreError(.shuttingDown, "the daemon is stopping; connect again after it has started")
            }
            guard queue.waiting.append(.init(work: work, owner: owner, cost: 1, byteCount: 0)) else {
                throw StoreError(
                    .queueFull, "too many reads are waiting; try again a little later", retryAfterMilliseconds: 100)
            }
        }
    }

    /// Finishes all waiting reads, then ends the threads.
    func stop() {
        queue.broadcast { $0.isStopping = true }
        for thread in threads {
            thread.join()
        }
    }

    /// Returns the next read, `.some(nil)` to end the thread, or `nil` to wait.
    private static func next(_ queue: inout Queue) -> Work?? {
        if let item = queue.waiting.next() {
            return .some(item.work)
        }
        return queue.isStopping ? .some(nil) : .none
    }
}

/// All existing readers, so that locking the store can close them.
final class ReaderRegistry: Sendable {
    private struct Weak {
        weak var reader: StoreReader?
    }

    private let source: ReaderSource
    /// Called after all connections are closed, to close the files that areas keep open for all readers.
    private let closed: @Sendable () -> Void
    private let readers = Mutex<[Weak]>([])

    init(source: ReaderSource, closed: @escaping @Sendable () -> Void) {
        self.source = source
        self.closed = closed
    }

    func make(waits: Bool = true) -> StoreReader {
        let reader = StoreReader(source: source, waits: waits)
        readers.withLock { readers in
            readers.removeAll { $0.reader == nil }
            readers.append(Weak(reader: reader))
        }
        return reader
    }

    /// Waits for running reads to end, then closes every connection and every open vault file.
    ///
    /// - Parameter cuttingOff: if true, interrupts running reads. The caller must have made sure that no reader opens
    ///   another connection.
    func closeAll(cuttingOff: Bool = false) {
        let readers = readers.withLock { $0.compactMap(\.reader) }
        if cuttingOff {
            readers.forEach { $0.cutoff.cutOff() }
        }
        readers.forEach { $0.close() }
        closed()
    }
}
