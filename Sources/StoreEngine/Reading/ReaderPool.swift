import DequeModule
import Synchronization

/// Threads for reads that may take a while, each with a reader of its own, behind a bounded queue.
final class ReaderPool: Sendable {
    typealias Work = @Sendable (StoreReader) -> Void

    /// Reads that may wait for a thread.
    static let waitingMax = 8_192

    private struct Queue {
        var waiting: Deque<Work> = []
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
                        work(reader)
                    }
                })
        }
        self.threads = threads
    }

    /// - Throws: `.queueFull`, `.shuttingDown`.
    func submit(_ work: @escaping Work) throws(StoreError) {
        try queue.signal { queue throws(StoreError) in
            guard !queue.isStopping else {
                throw StoreError(.shuttingDown, "the daemon is stopping; connect again when it is back")
            }
            guard queue.waiting.count < Self.waitingMax else {
                throw StoreError(
                    .queueFull, "too many reads are waiting; try again a little later", retryAfterMilliseconds: 100)
            }
            queue.waiting.append(work)
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
        if let work = queue.waiting.popFirst() {
            return .some(work)
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
    private let readers = Mutex<[Weak]>([])

    init(source: ReaderSource) {
        self.source = source
    }

    func make() -> StoreReader {
        let reader = StoreReader(source: source)
        readers.withLock { readers in
            readers.removeAll { $0.reader == nil }
            readers.append(Weak(reader: reader))
        }
        return reader
    }

    /// Waits for running reads to end and closes every connection.
    func closeAll() {
        for entry in readers.withLock({ $0 }) {
            entry.reader?.close()
        }
    }
}
