import DequeModule

/// Decides when the requests of one connection may run. No I/O, no time.
///
/// The rules (proto-docs/PROTOCOL.md, "Ordering"):
/// - writes are applied in the order sent;
/// - a read sees every write sent before it, so it waits until those are committed; otherwise reads run at once;
/// - a barrier (unlock, lock, initialize_store, restore_backup) waits for all before it, and all after it wait;
/// - free calls (ping, hello, metrics, cancel) never wait.
struct RequestOrdering<Request> {
    /// Names an admitted request until it is completed.
    struct Ticket: Hashable, Sendable {
        let order: CallOrder
        let isLong: Bool
        /// Of a write: its place in the order of writes.
        let writeNumber: UInt64
        /// Bytes of the request, for accounting.
        let bytes: Int
    }

    /// Something that may run now.
    struct Runnable {
        let request: Request
        let ticket: Ticket
    }

    private struct Waiting {
        let request: Request
        let ticket: Ticket
        /// Runs when every write up to this number is done.
        let afterWrite: UInt64
    }

    private let longReadsMax: Int
    private var waiting: Deque<Waiting> = []
    /// Writes and barriers in `waiting`: a later write must not overtake them.
    private var waitingWritesAndBarriers = 0
    /// Numbers of writes admitted and not completed, rising.
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

    /// Takes a request in. Returns its ticket when it may run now; else it waits and `next` gives it later.
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

    /// The next waiting request that may run now, already counted as running.
    mutating func next() -> Runnable? {
        guard let first = waiting.first, mayStart(first.ticket, afterWrite: first.afterWrite) else { return nil }
        waiting.removeFirst()
        if waiting.isEmpty {
            // A connection at rest keeps no memory for what waited.
            waiting = []
        }
        if first.ticket.order == .write || first.ticket.order == .barrier {
            waitingWritesAndBarriers -= 1
        }
        start(first.ticket)
        return Runnable(request: first.request, ticket: first.ticket)
    }

    /// Reads that have not begun and are wanted no more, out of their turn, counted as running. They are to be
    /// completed without being run.
    mutating func withdrawReads(where isMeant: (Request) -> Bool) -> [Runnable] {
        func isWithdrawn(_ waiting: Waiting) -> Bool { waiting.ticket.order == .read && isMeant(waiting.request) }
        let withdrawn = waiting.filter(isWithdrawn)
        waiting.removeAll(where: isWithdrawn)
        return withdrawn.map { waiting in
            start(waiting.ticket)
            return Runnable(request: waiting.request, ticket: waiting.ticket)
        }
    }

    /// A request has its last answer.
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

    /// Forgets what waits and returns it.
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

    /// At arrival: waiting requests must not be overtaken where the order matters.
    private func mustWait(_ ticket: Ticket, afterWrite: UInt64) -> Bool {
        switch ticket.order {
        case .free: false
        case .write: isBarrierRunning || waitingWritesAndBarriers > 0
        case .read: waitingWritesAndBarriers > 0 || !mayStart(ticket, afterWrite: afterWrite)
        case .barrier: !waiting.isEmpty || !mayStart(ticket, afterWrite: afterWrite)
        }
    }

    /// At the head of the queue: only what runs can be in the way.
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
