import Synchronization

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
