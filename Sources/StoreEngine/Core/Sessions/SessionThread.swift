import StoreBasics

/// An owner of all running sessions of one kind, such as exports and imports. Only the thread of that kind uses it.
protocol SessionHolder: AnyObject, SendableMetatype {
    associatedtype HeldID: Hashable & Sendable

    /// The name of the thread, at most 15 bytes as Linux requires.
    static var threadName: String { get }
    /// The most requests that wait for the thread.
    static var waitingRequestsMax: Int { get }

    func endAll()
    /// Ends sessions that have been idle for too long or have existed for too long.
    ///
    /// - Parameter waiting: sessions with a waiting request, which are not idle.
    func endIdle(sparing waiting: Set<HeldID>)
    /// The time until `endIdle` may have something to do; `nil` while no session runs.
    var millisecondsToIdleEnd: Int? { get }
    /// Does a small part of background work.
    ///
    /// - Returns: true if more of it is left.
    func workInBackground() -> Bool
}

/// The thread of one kind of sessions. It owns the sessions and waits for commits and for the disk, so that other
/// threads do not have to. It is started at first use.
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

    /// The number of requests after which background work has its turn.
    private static var requestsPerBackgroundStep: Int { 32 }

    private let makeSessions: @Sendable () -> Sessions
    private let queue = ConditionLock(Queue())

    init(_ makeSessions: @escaping @Sendable () -> Sessions) {
        self.makeSessions = makeSessions
    }

    /// - Throws: `.queueFull`, `.shuttingDown`; the work does not run then.
    private func submit(_ work: Work, userID: UInt32) throws(StoreError) {
        try queue.signal { queue throws(StoreError) in
            try startIfNeeded(&queue)
            guard queue.waiting.append(work, userID: userID) else {
                throw StoreError(
                    .queueFull,
                    "too many requests to write files, export or import are waiting; try again a little later",
                    retryAfterMilliseconds: 100)
            }
        }
    }

    /// Runs `body` on the thread and passes its result to `completion`. Rejected work is answered at once.
    ///
    /// - Parameters:
    ///   - session: the session that the work continues, if any.
    ///   - completion: called once, on the thread, or at once if the work is rejected.
    ///   - body: returns the answer, or `nil` if it has arranged that `completion` is called later.
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

    /// Ends every session after the current work.
    func endAll() {
        interject { $0.endAll() }
    }

    /// Runs `body` before all waiting work, if the thread has been started.
    func interject(_ body: @escaping @Sendable (Sessions) -> Void) {
        queue.signal { queue in
            if queue.thread != nil {
                queue.waiting.prepend(Work(run: body))
            }
        }
    }

    /// Runs `body` before all waiting work; starts the thread if necessary.
    func begin(_ body: @escaping @Sendable (Sessions) -> Void) throws(StoreError) {
        try queue.signal { queue throws(StoreError) in
            try startIfNeeded(&queue)
            queue.waiting.prepend(Work(run: body))
        }
    }

    /// Finishes all waiting work, then ends the thread.
    func stop() {
        let thread = queue.broadcast { queue in
            queue.isStopping = true
            return queue.thread
        }
        thread?.join()
    }

    private func startIfNeeded(_ queue: inout Queue) throws(StoreError) {
        guard !queue.isStopping else {
            throw StoreError(.shuttingDown, "the daemon is stopping; connect again after it has started")
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
