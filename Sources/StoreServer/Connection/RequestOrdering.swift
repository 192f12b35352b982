import DequeModule

/// Decides when the requests of one connection may run. It does no I/O and knows no time.
///
/// The rules (proto-docs/PROTOCOL.md, "Ordering"):
/// - Writes are applied in the order sent.
/// - A read sees every write sent before it, so it waits until those are committed. Otherwise reads run at once.
/// - A barrier (unlock, lock, initialize_store, restore_backup) waits for all requests before it, and all requests
///   after it wait for it.
/// - Free calls (ping, hello, metrics, cancel) never wait.
struct RequestOrdering<Request> {
    /// The identity of an admitted request until it is completed.
    struct Ticket: Hashable, Sendable {
        let order: CallOrder
        let isLong: Bool
        /// The position of a write in the order of writes. It has no meaning for other requests.
        let writeNumber: UInt64
        /// The bytes of the request, for accounting.
        let bytes: Int
    }

    struct Runnable {
        let request: Request
        let ticket: Ticket
    }

    private struct Waiting {
        let request: Request
        let ticket: Ticket
        /// The request may run when every write up to this number is done.
        let afterWrite: UInt64
    }

    private let longReadsMax: Int
    private var waiting: Deque<Waiting> = []
    /// The number of writes and barriers in `waiting`. A later write must not overtake them.
    private var waitingWritesAndBarriers = 0
    /// The numbers of the writes that are admitted and not completed, ascending.
    private var openWrites: [UInt64] = []
    private var lastWriteNumber: UInt64 = 0
    private var runningReads = 0
    private var runningLongReads = 0
    private var isBarrierRunning = false

    init(longReadsMax: Int) {
        self.longReadsMax = longReadsMax
    }

    var hasWaiting: Bool {
        !waiting.isEmpty
    }

    /// Admits a request. Returns its ticket if it may run now. Otherwise the request waits and `next` returns it later.
    mutating func admit(
        _ request: @autoclosure () -> Request, order: CallOrder, isLong: Bool, bytes: Int
    ) -> Ticket? {
        let afterWrite = lastWriteNumber
        if order == .write {
            lastWriteNumber += 1
            openWrites.append(lastWriteNumber)
        }
        let ticket = Ticket(order: order, isLong: isLong, writeNumber: lastWriteNumber, bytes: bytes)
        guard order == .free || !mustWait(ticket, afterWrite: afterWrite) else {
            if order == .write || order == .barrier {
                waitingWritesAndBarriers += 1
            }
            waiting.append(Waiting(request: request(), ticket: ticket, afterWrite: afterWrite))
            return nil
        }
        start(ticket)
        return ticket
    }

    /// Returns the next waiting request that may run now, already counted as running.
    mutating func next() -> Runnable? {
        guard let first = waiting.first, mayStart(first.ticket, afterWrite: first.afterWrite) else { return nil }
        waiting.removeFirst()
        if waiting.isEmpty {
            // An idle connection keeps no memory for a queue.
            waiting = []
        }
        if first.ticket.order == .write || first.ticket.order == .barrier {
            waitingWritesAndBarriers -= 1
        }
        start(first.ticket)
        return Runnable(request: first.request, ticket: first.ticket)
    }

    /// Removes and returns the cancelled reads that have not begun, without regard to the order of requests. They count
    /// as running until the caller completes them, which it must do without running them.
    mutating func withdrawReads(where isMeant: (Request) -> Bool) -> [Runnable] {
        func isWithdrawn(_ waiting: Waiting) -> Bool { waiting.ticket.order == .read && isMeant(waiting.request) }
        let withdrawn = waiting.filter(isWithdrawn)
        waiting.removeAll(where: isWithdrawn)
        return withdrawn.map { waiting in
            start(waiting.ticket)
            return Runnable(request: waiting.request, ticket: waiting.ticket)
        }
    }

    /// Records that the last answer to a request was written.
    mutating func complete(_ ticket: Ticket) {
        switch ticket.order {
        case .free:
            break
        case .read:
            runningReads -= 1
            if ticket.isLong {
                runningLongReads -= 1
            }
            precondition(runningReads >= 0 && runningLongReads >= 0, "a read must complete only once")
        case .write:
            guard let index = openWrites.firstIndex(of: ticket.writeNumber) else {
                preconditionFailure("a write must complete only once")
            }
            openWrites.remove(at: index)
        case .barrier:
            precondition(isBarrierRunning, "a barrier must complete only once")
            isBarrierRunning = false
        }
    }

    /// Removes and returns the waiting requests, because the connection was closed.
    mutating func dropWaiting() -> [Request] {
        var dropped: [Request] = []
        while let next = waiting.popFirst() {
            if next.ticket.order == .write, let index = openWrites.firstIndex(of: next.ticket.writeNumber) {
                openWrites.remove(at: index)
            }
            dropped.append(next.request)
        }
        waitingWritesAndBarriers = 0
        return dropped
    }

    private func areWritesDone(through number: UInt64) -> Bool {
        openWrites.first.map { $0 > number } ?? true
    }

    /// Returns whether an arriving request must wait, so that it does not overtake waiting requests where the order
    /// matters.
    private func mustWait(_ ticket: Ticket, afterWrite: UInt64) -> Bool {
        switch ticket.order {
        case .free: false
        case .write: isBarrierRunning || waitingWritesAndBarriers > 0
        case .read: waitingWritesAndBarriers > 0 || !mayStart(ticket, afterWrite: afterWrite)
        case .barrier: !waiting.isEmpty || !mayStart(ticket, afterWrite: afterWrite)
        }
    }

    /// Returns whether the request at the head of the queue may start. Only running requests can prevent it.
    private func mayStart(_ ticket: Ticket, afterWrite: UInt64) -> Bool {
        guard !isBarrierRunning else { return false }
        switch ticket.order {
        case .free, .write: return true
        case .read: return areWritesDone(through: afterWrite) && (!ticket.isLong || runningLongReads < longReadsMax)
        case .barrier: return areWritesDone(through: afterWrite) && runningReads == 0
        }
    }

    private mutating func start(_ ticket: Ticket) {
        switch ticket.order {
        case .free, .write:
            break
        case .read:
            runningReads += 1
            runningLongReads += ticket.isLong ? 1 : 0
        case .barrier:
            isBarrierRunning = true
        }
    }
}
