package import StoreBasics

extension StoreEngine {
    /// Exports a conversation as a message blob, or imports one, piece by piece. Commands are performed in the order
    /// given, on a thread of their own.
    ///
    /// A session belongs to the user who began it. It ends with its last piece or report, with its first error, when
    /// nobody uses it for `BlobLimits.idleSecondsMax`, and when the store is locked.
    ///
    /// - Parameters:
    ///   - history: the history that the command is about: another one refuses it; `nil`: any.
    ///   - completion: called once, on that thread, or at once when the command is refused.
    package func performBlobCommand(
        _ command: BlobCommand, userID: UInt32, history: HistoryID? = nil,
        completion: @escaping @Sendable (Result<BlobResult, StoreError>) -> Void
    ) {
        if command.isUseOfStore {
            status.noteActivity()
        }
        blobs.perform(command, userID: userID, history: history, completion: completion)
    }

    static func blobSource(
        _ registry: ReaderRegistry, _ status: EngineStatus, _ writer: Writer, allowsLowCost: Bool
    ) -> BlobSessions.Source {
        BlobSessions.Source(
            makeReader: { registry.make() },
            history: { status.statistics?.history },
            save: { messages, byteCount, owner, history in
                let saved = OneShot<Result<MutationResult, StoreError>>()
                do throws(StoreError) {
                    status.noteActivity()
                    let request = WriteRequest(
                        .saveMessages(messages), owner: owner, history: history, byteCount: byteCount)
                    try status.admit(request.mutation)
                    try writer.submit(WriteQueue.Write(request: request) { saved.set($0) })
                } catch {
                    return .failure(error)
                }
                return saved.wait()
            },
            allowsLowCost: allowsLowCost)
    }
}

/// The one thread of exports and imports: it holds their sessions, waits for commits and derives keys, so that nothing
/// else has to wait for that. Started at first use.
final class BlobThread: Sendable {
    private struct Queue {
        var waiting = BlobQueue()
        var isStopping = false
        var thread: StoreThread?
    }

    private enum Next {
        case work(BlobQueue.Work)
        case stop
    }

    private let source: BlobSessions.Source
    private let queue = ConditionLock(Queue())

    init(source: BlobSessions.Source) {
        self.source = source
    }

    /// - Parameter completion: called once, on the thread or at once when the command is refused.
    func perform(
        _ command: BlobCommand, userID: UInt32, history: HistoryID?,
        completion: @escaping @Sendable (Result<BlobResult, StoreError>) -> Void
    ) {
        do throws(StoreError) {
            let work = BlobQueue.Work(session: command.session) { sessions in
                do throws(StoreError) {
                    completion(.success(try sessions.perform(command, userID: userID, history: history)))
                } catch {
                    completion(.failure(error))
                }
            }
            try submit(work, userID: userID)
        } catch {
            completion(.failure(error))
        }
    }

    /// Ends every export and import, after what one of them is at.
    func endAll() {
        queue.signal { queue in
            if queue.thread != nil {
                queue.waiting.prepend(BlobQueue.Work { $0.endAll() })
            }
        }
    }

    /// Ends every export before anything else that waits: their snapshots keep the WAL from starting over.
    func endExports() {
        queue.signal { queue in
            if queue.thread != nil {
                queue.waiting.prepend(BlobQueue.Work { $0.endExports() })
            }
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

    private func submit(_ work: BlobQueue.Work, userID: UInt32) throws(StoreError) {
        try queue.signal { queue throws(StoreError) in
            guard !queue.isStopping else {
                throw StoreError(.shuttingDown, "the daemon is stopping; connect again when it is back")
            }
            if queue.thread == nil {
                queue.thread = try startThread()
            }
            guard queue.waiting.append(work, userID: userID) else {
                throw StoreError(
                    .queueFull, "too many requests of exports and imports are waiting; try again a little later",
                    retryAfterMilliseconds: 100)
            }
        }
    }

    private func startThread() throws(StoreError) -> StoreThread {
        let (queue, source) = (queue, source)
        return try StoreThread(name: "store-blobs") {
            let sessions = BlobSessions(source: source)
            while true {
                switch queue.wait(timeoutMilliseconds: sessions.millisecondsToIdleEnd, until: Self.next) {
                case .work(let work): work.run(sessions)
                case .stop: return sessions.endAll()
                case nil: break
                }
                sessions.endIdle(sparing: queue.withLock { $0.waiting.sessions })
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
