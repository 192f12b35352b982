/// What the owner of a connection does next. Order does not matter.
struct ConnectionActions: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// Ask the transport for more bytes.
    static let read = ConnectionActions(rawValue: 1 << 0)
    /// Look for frames in what has been received, and for requests that may run.
    static let parse = ConnectionActions(rawValue: 1 << 1)
    /// Look at the clock again at `nextDeadline`.
    static let scheduleTimer = ConnectionActions(rawValue: 1 << 2)
    /// End the watches.
    static let endWatches = ConnectionActions(rawValue: 1 << 3)
    /// Tell the peer that its last frame is not whole, then close.
    static let refuseTruncated = ConnectionActions(rawValue: 1 << 4)
    /// Tell the peer that its frame took too long, then close.
    static let refuseSlowFrame = ConnectionActions(rawValue: 1 << 5)
    /// Close once everything written has been taken; tell `closeWaits` when that takes a while.
    static let close = ConnectionActions(rawValue: 1 << 6)
    /// Close now: what was written is not taken.
    static let abort = ConnectionActions(rawValue: 1 << 7)
}

/// The whole life of one connection, without I/O and without a clock: events go in, actions come out.
///
/// It stops asking for bytes while too many requests are in flight or the peer does not take its answers, so what one
/// peer can make the daemon hold is bounded whatever it sends.
struct ConnectionMachine<Request> {
    typealias Ticket = RequestOrdering<Request>.Ticket
    typealias Runnable = RequestOrdering<Request>.Runnable

    struct Limits: Hashable, Sendable {
        var requestsInFlightMax = 1_024
        var requestBytesInFlightMax = 32 << 20
        var longReadsMax = 4
        var partialFrameTimeoutNanoseconds: UInt64 = 30_000_000_000
        var answerTimeoutNanoseconds: UInt64 = 300_000_000_000
    }

    /// What is left of the received bytes after parsing.
    enum Leftover: Hashable, Sendable {
        case nothing
        /// The beginning of a frame.
        case partialFrame
        /// Parsing stopped before the end: there may be whole frames.
        case unparsed
    }

    private enum Phase: Hashable {
        case open
        /// The peer has closed its sending side; it still gets all its answers.
        case inputClosed
        /// No more requests are taken: answer what is in flight, then close.
        case finishing
        /// All is answered: the transport closes when the peer has taken it.
        case closing
        case closed
    }

    private let limits: Limits
    private var phase = Phase.open
    private var ordering: RequestOrdering<Request>
    private var inFlight = 0
    private var inFlightBytes = 0
    private var watches = 0
    private var isWritable = true
    private var isReading = false
    private var leftover = Leftover.nothing
    /// Since when the rest of a frame is read for.
    private var partialFrameSince: UInt64?
    private var answersUntakenSince: UInt64?

    init(limits: Limits) {
        self.limits = limits
        self.ordering = RequestOrdering(longReadsMax: limits.longReadsMax)
    }

    /// True while the next frame may be taken from the received bytes.
    var takesFrames: Bool {
        (phase == .open || phase == .inputClosed) && isWritable && inFlight < limits.requestsInFlightMax
            && inFlightBytes < limits.requestBytesInFlightMax
    }

    /// True once the connection only finishes what it has begun.
    var isFinishing: Bool {
        phase == .finishing || isClosing
    }

    private var isClosing: Bool {
        phase == .closing || phase == .closed
    }

    /// Requests taken and not answered, watches not counted.
    var requestsInFlight: Int {
        inFlight
    }

    /// When to look at the clock again, in nanoseconds of the same clock as `now`.
    var nextDeadline: UInt64? {
        let frame = partialFrameSince.map { $0 + limits.partialFrameTimeoutNanoseconds }
        let answers = answersUntakenSince.map { $0 + limits.answerTimeoutNanoseconds }
        return switch (frame, answers) {
        case (let frame?, let answers?): min(frame, answers)
        case (let frame, let answers): frame ?? answers
        }
    }

    // MARK: Events

    mutating func connected() -> ConnectionActions {
        read()
        return isReading ? .read : []
    }

    /// A request was parsed. Its ticket when it may run now; nil when it waits for others of this connection.
    mutating func received(
        _ request: @autoclosure () -> Request, order: CallOrder, isLong: Bool = false, bytes: Int = 0
    ) -> Ticket? {
        inFlight += 1
        inFlightBytes += bytes
        // A frame is whole: what follows it is a new one.
        partialFrameSince = nil
        return ordering.admit(request(), order: order, isLong: isLong, bytes: bytes)
    }

    /// A waiting request that may run now. Ask again until there is none, after every completion. None runs while the
    /// peer does not take its answers: they would be held for it.
    mutating func nextRunnable() -> Runnable? {
        isWritable ? ordering.next() : nil
    }

    /// Reads that have not begun and are wanted no more: to be completed without being run.
    mutating func withdrawReads(where isMeant: (Request) -> Bool) -> [Runnable] {
        ordering.withdrawReads(where: isMeant)
    }

    /// A request has its last answer.
    mutating func completed(_ ticket: Ticket) {
        ordering.complete(ticket)
        inFlight -= 1
        inFlightBytes -= ticket.bytes
        precondition(inFlight >= 0 && inFlightBytes >= 0, "a request completes once")
    }

    /// A watch was begun; its request is completed separately.
    mutating func watchBegan() {
        watches += 1
    }

    mutating func watchEnded() {
        watches -= 1
        precondition(watches >= 0, "a watch ends once")
    }

    /// The bytes that were asked for have arrived.
    mutating func bytesArrived() {
        isReading = false
    }

    /// Everything that could be done with what was received, or after a completion, has been done.
    mutating func settled(leftover: Leftover, now: @autoclosure () -> UInt64) -> ConnectionActions {
        self.leftover = leftover
        guard !isClosing else {
            return []
        }
        if phase == .inputClosed, leftover == .partialFrame {
            return ConnectionActions.refuseTruncated.union(finish())
        }
        if leftover == .unparsed, takesFrames {
            return .parse
        }
        return readIfAllowed(now: now).union(closeIfDone())
    }

    /// The bytes cannot be a frame. The owner has written the error.
    mutating func frameInvalid() -> ConnectionActions {
        finish()
    }

    /// The peer has closed its sending side.
    mutating func inputEnded(leftover: Leftover, now: @autoclosure () -> UInt64) -> ConnectionActions {
        isReading = false
        if phase == .open {
            phase = .inputClosed
        }
        return settled(leftover: leftover, now: now())
    }

    mutating func writabilityChanged(_ isWritable: Bool, now: UInt64) -> ConnectionActions {
        self.isWritable = isWritable
        guard phase != .closed else {
            return []
        }
        // A closing connection still has something for its peer, which took a part of it.
        guard isWritable, phase != .closing else {
            answersUntakenSince = now
            return .scheduleTimer
        }
        answersUntakenSince = nil
        if takesFrames && leftover == .unparsed || ordering.hasWaiting {
            return .parse
        }
        return readIfAllowed(now: { now })
    }

    /// The transport is to close and has not written everything yet.
    mutating func closeWaits(now: UInt64) -> ConnectionActions {
        guard phase == .closing else {
            return []
        }
        answersUntakenSince = answersUntakenSince ?? now
        return .scheduleTimer
    }

    /// The clock has reached `nextDeadline`.
    mutating func timerFired(now: UInt64) -> ConnectionActions {
        guard phase != .closed, let deadline = nextDeadline else {
            return []
        }
        guard now >= deadline else {
            return .scheduleTimer
        }
        if let since = answersUntakenSince, now >= since + limits.answerTimeoutNanoseconds {
            phase = .closed
            return .abort
        }
        partialFrameSince = nil
        return ConnectionActions.refuseSlowFrame.union(finish())
    }

    /// Takes no more requests, ends the watches, and closes when everything in flight is answered.
    mutating func finish() -> ConnectionActions {
        guard phase == .open || phase == .inputClosed else {
            return []
        }
        phase = .finishing
        leftover = .nothing
        partialFrameSince = nil
        return ConnectionActions.endWatches.union(closeIfDone())
    }

    /// The transport is gone. Returns the requests that had not begun.
    mutating func transportClosed() -> [Request] {
        phase = .closed
        let dropped = ordering.dropWaiting()
        inFlight -= dropped.count
        return dropped
    }

    // MARK: Decisions

    /// Asks for more bytes where they may be taken, and for the clock while the rest of a frame is awaited.
    private mutating func readIfAllowed(now: () -> UInt64) -> ConnectionActions {
        let wasReading = isReading
        read()
        var actions: ConnectionActions = isReading && !wasReading ? .read : []
        guard leftover == .partialFrame, phase == .open, isReading else {
            // Without a read, waiting is the daemon's doing, not the peer's.
            partialFrameSince = nil
            return actions
        }
        if partialFrameSince == nil {
            partialFrameSince = now()
            actions.insert(.scheduleTimer)
        }
        return actions
    }

    private mutating func read() {
        if phase == .open, takesFrames, leftover != .unparsed {
            isReading = true
        }
    }

    private mutating func closeIfDone() -> ConnectionActions {
        guard inFlight == 0, leftover != .unparsed else {
            return []
        }
        switch phase {
        case .finishing, .inputClosed:
            guard phase == .finishing || watches == 0 else {
                return []
            }
            phase = .closing
            partialFrameSince = nil
            return .close
        case .open, .closing, .closed:
            return []
        }
    }
}
