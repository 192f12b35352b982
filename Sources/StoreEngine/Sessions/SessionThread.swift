import StoreBasics

/// The sessions of one kind that run. Used by their thread only.
protocol SessionHolder: AnyObject, SendableMetatype {
    associatedtype HeldID: Hashable & Sendable

    /// As Linux shows the thread: at most 15 bytes.
    static var threadName: String { get }
    /// Requests that may wait for the thread.
    static var waitingRequestsMax: Int { get }

    func endAll()
    /// Ends what has not been used for too long, or has lasted too long.
    ///
    /// - Parameter waiting: those with a request that waits for its turn: they are not idle.
    func endIdle(sparing waiting: Set<HeldID>)
    /// When `endIdle` has something to do at the earliest; `nil` while nothing runs.
    var millisecondsToIdleEnd: Int? { get }
    /// Does a little of the work that nobody waits for.
    ///
    /// - Returns: whether more of it is left.
    func workInBackground() -> Bool
}

/// The one thread of the sessions of a kind: it holds them, waits for commits and for the disk, so that nothing else
/// has to wait for that. Started at first use.
final class SessionThread<Sessions: SessionHolder>: Sendable {
    typealias Work = SessionQueue<Sessions>.Work

    private struct Queue {
        var waiting = SessionQueue<Sessions>()
        var isStopping = false
        var thread: StoreThread?
    }

    private enum Next {
        case work(Work)
        case stop
    }

    /// So many requests are done before some work that nobody waits for has its turn.
    private static var requestsPerBackgroundStep: Int { 32 }

    private let makeSessions: @Sendable () -> Sessions
    private let queue = ConditionLock(Queue())

    init(_ makeSessions: @escaping @Sendable () -> Sessions) {
        self.makeSessions = makeSessions
    }

    /// - Throws: `.queueFull`, `.shuttingDown`; the work is not done then.
    private func submit(_ work: Work, userID: UInt32) throws(StoreError) {
        try queue.signal { queue throws(StoreError) in
            try startIfNeeded(&queue)
            guard queue.waiting.append(work, userID: userID) else {
                throw StoreError(
                    .queueFull, "too many requests of this kind are waiting; try again a little later",
                    retryAfterMilliseconds: 100)
            }
        }
    }

    /// Answers with what `body` comes to; work that is refused is answered at once.
    ///
    /// - Parameters:
    ///   - session: the one it goes on with, if any.
    ///   - completion: called once, on the thread or at once.
    ///   - body: its result is the answer; `nil` where it has handed that on.
    func answer<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void, session: Sessions.HeldID?,
        userID: UInt32, by body: @escaping @Sendable (Sessions) throws(StoreError) -> Value?
    ) {
        let work = Work(session: session) { sessions in
            do throws(StoreError) {
                if let value = try body(sessions) {
                    completion(.success(value))
                }
            } catch {
                completion(.failure(error))
            }
        }
        do throws(StoreError) {
            try submit(work, userID: userID)
        } catch {
            completion(.failure(error))
        }
    }

    /// Ends every session, after what one of them is at.
    func endAll() {
        interject { $0.endAll() }
    }

    /// Runs `body` before anything else that waits, where the thread has been started.
    func interject(_ body: @escaping @Sendable (Sessions) -> Void) {
        queue.signal { queue in
            if queue.thread != nil {
                queue.waiting.prepend(Work(run: body))
            }
        }
    }

    /// Runs `body` before anything else that waits, and starts the thread for it.
    func begin(_ body: @escaping @Sendable (Sessions) -> Void) throws(StoreError) {
        try queue.signal { queue throws(StoreError) in
            try startIfNeeded(&queue)
            queue.waiting.prepend(Work(run: body))
        }
    }

    /// Finishes what waits, then ends the thread.
    func stop() {
        let thread = queue.broadcast { queue in
            queue.isStopping = true
            return queue.thread
        }
        thread?.join()
    }

    private func startIfNeeded(_ queue: inout Queue) throws(StoreError) {
        guard !queue.isStopping else {
            throw StoreError(.shuttingDown, "the daemon is stopping; connect again when it is back")
        }
        if queue.thread == nil {
            queue.thread = try startThread()
        }
    }

    private func startThread() throws(StoreError) -> StoreThread {
        let (queue, makeSessions) = (queue, makeSessions)
        return try StoreThread(name: Sessions.threadName) {
            let sessions = makeSessions()
            var isBackgroundWorkLeft = false
            var requestCount = 0
            while true {
                let timeout = isBackgroundWorkLeft ? 0 : sessions.millisecondsToIdleEnd
                let next = queue.wait(timeoutMilliseconds: timeout, until: Self.next)
                switch next {
                case .work(let work): work.run(sessions)
                case .stop: return sessions.endAll()
                case nil: break
                }
                sessions.endIdle(sparing: queue.withLock { $0.waiting.sessions })
                requestCount += 1
                if next == nil || requestCount >= Self.requestsPerBackgroundStep || !isBackgroundWorkLeft {
                    isBackgroundWorkLeft = sessions.workInBackground()
                    requestCount = 0
                }
            }
        }
    }

    private static func next(_ queue: inout Queue) -> Next? {
        if let work = queue.waiting.next() {
            return .work(work)
        }
        return queue.isStopping ? .stop : nil
    }
}
