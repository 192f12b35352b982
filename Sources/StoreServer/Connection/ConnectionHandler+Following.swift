internal import NIOCore
internal import StoreEngine
internal import StoreProtocol

/// A read of a log that is answered when there is something to read.
struct LogWait {
    enum State {
        /// A read is under way. `mustReadAgain`: something may have been appended since it began.
        case reading(mustReadAgain: Bool)
        /// Nothing was there to read: what to answer when the time is over.
        case waiting(LogPage)
    }

    let context: RequestContext
    let query: LogQuery
    var state = State.reading(mustReadAgain: false)
    /// Its time is over, or its caller does not want it any more.
    var isOver = false
    /// What to answer instead of nothing.
    var failure: RequestFailure?
    var timer: Scheduled<Void>?
}

/// The waiting reads of one connection.
extension ConnectionHandler {
    var hasLogWaits: Bool {
        !logWaits.isEmpty
    }

    func startLogWait(_ query: LogQuery, milliseconds: UInt32, _ context: RequestContext) {
        let id = context.requestID
        guard logWaits[id] == nil else {
            answer(context, .failure(RequestFailure(.requestIDInUse, "a read with request id \(id) waits already")))
            return
        }
        guard logWaits.count < server.configuration.watchesPerConnectionMax else {
            answer(
                context,
                .failure(
                    RequestFailure(
                        .tooManyWatches, "the connection has \(logWaits.count) reads waiting, the most allowed")))
            return
        }
        // Appends are reported from here on, so that none is missed between the first read and the wait.
        loop.watchSubscription.logWaitBegan()
        var wait = LogWait(context: context.ofLogWait, query: query)
        let time = TimeAmount.milliseconds(Int64(milliseconds))
        wait.timer = loop.eventLoop.scheduleTask(in: time) { [loop, connection = self.id] in
            loop.connection(connection)?.logWaitExpired(id)
        }
        logWaits[id] = wait
        readLog(wait)
    }

    /// Something happened to these logs; nil: to any.
    func logsTouched(_ names: [LogName]?) {
        for (id, wait) in logWaits where names?.contains(wait.query.log) ?? true {
            switch wait.state {
            case .reading:
                logWaits[id]?.state = .reading(mustReadAgain: true)
            case .waiting:
                logWaits[id]?.state = .reading(mustReadAgain: false)
                readLog(wait)
            }
        }
    }

    /// A read found nothing.
    func deliverCaughtUp(_ context: RequestContext, _ page: LogPage) {
        guard let wait = logWaits[context.requestID] else {
            return
        }
        if wait.isOver {
            answer(context, wait.failure.map { .failure($0) } ?? .logEntries(page))
        } else if case .reading(mustReadAgain: true) = wait.state {
            logWaits[context.requestID]?.state = .reading(mustReadAgain: false)
            readLog(wait)
        } else {
            logWaits[context.requestID]?.state = .waiting(page)
        }
    }

    /// Ends a waiting read at its caller's wish, or because its time is over. Nothing happens when there is none.
    func endLogWait(_ id: UInt64, _ failure: RequestFailure? = nil) {
        guard let wait = logWaits[id] else {
            return
        }
        guard case .waiting(let page) = wait.state else {
            logWaits[id]?.isOver = true
            logWaits[id]?.failure = failure
            return
        }
        answer(wait.context, failure.map { .failure($0) } ?? .logEntries(page))
    }

    /// Ends the waiting reads of all logs, or of some.
    func endLogWaits(_ failure: RequestFailure?, where isMeant: (LogName) -> Bool = { _ in true }) {
        for (id, wait) in logWaits.sorted(by: { $0.key < $1.key }) where isMeant(wait.query.log) {
            endLogWait(id, failure)
        }
    }

    /// The request has its last answer.
    func forgetLogWait(_ id: UInt64) {
        guard let wait = logWaits.removeValue(forKey: id) else {
            return
        }
        wait.timer?.cancel()
        loop.watchSubscription.logWaitEnded()
    }

    /// The connection is gone.
    func forgetLogWaits() {
        for id in logWaits.keys {
            forgetLogWait(id)
        }
    }

    private func logWaitExpired(_ id: UInt64) {
        endLogWait(id)
        settleDeliveries()
    }

    private func readLog(_ wait: LogWait) {
        let outbox = loop.outbox
        let server = server
        let context = wait.context
        let query = wait.query
        do throws(StoreError) {
            try server.engine.readInBackground { reader in
                switch Answer({ () throws(StoreError) in .logEntries(try reader.logEntries(query)) }) {
                case .logEntries(let page) where page.entries.isEmpty: outbox.post(.logCaughtUp(context, page))
                case let answer: outbox.post(Self.delivery(of: answer, context, server))
                }
            }
        } catch {
            answer(context, .failure(RequestFailure(error)))
        }
    }
}
