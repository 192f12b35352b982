import DequeModule

/// What waits for the writer thread, bounded in number and bytes.
struct WriteQueue {
    typealias Completion = @Sendable (Result<MutationResult, StoreError>) -> Void

    struct Write {
        let request: WriteRequest
        let completion: Completion
    }

    enum Entry {
        case write(Write)
        /// Work that wants the writer to itself, between two transactions.
        case exclusive(@Sendable (WriterContext) -> Void)
    }

    enum Next {
        case group([Write])
        case exclusive(@Sendable (WriterContext) -> Void)
        case idle
        case stop
    }

    private var entries: Deque<Entry> = []
    private var byteCount = 0
    private(set) var isStopping = false

    var count: Int { entries.count }

    /// - Throws: `.queueFull` with a time to wait, `.shuttingDown`.
    mutating func append(_ write: Write) throws(StoreError) {
        guard !isStopping else {
            throw StoreError(.shuttingDown, "the daemon is stopping; connect again when it is back")
        }
        guard count < EngineLimits.writeQueueRequestsMax,
            byteCount + write.request.byteCount <= EngineLimits.writeQueueBytesMax
        else {
            throw StoreError(
                .queueFull, "too many writes are waiting; try again a little later", retryAfterMilliseconds: 100)
        }
        byteCount += write.request.byteCount
        entries.append(.write(write))
    }

    mutating func append(exclusive body: @escaping @Sendable (WriterContext) -> Void) throws(StoreError) {
        guard !isStopping else {
            throw StoreError(.shuttingDown, "the daemon is stopping; connect again when it is back")
        }
        entries.append(.exclusive(body))
    }

    mutating func stop() {
        isStopping = true
    }

    /// Everything that may share the next commit, or the next exclusive work; `nil` when nothing waits.
    mutating func next() -> Next? {
        guard count > 0 else { return isStopping ? .stop : nil }
        if case .exclusive(let body) = entries[0] {
            entries.removeFirst()
            return .exclusive(body)
        }
        var group: [Write] = []
        var groupBytes = 0
        while count > 0, group.count < EngineLimits.groupRequestsMax, groupBytes < EngineLimits.groupBytesMax,
            case .write(let write) = entries[0]
        {
            group.append(write)
            groupBytes += write.request.byteCount
            entries.removeFirst()
        }
        byteCount -= groupBytes
        return .group(group)
    }
}
