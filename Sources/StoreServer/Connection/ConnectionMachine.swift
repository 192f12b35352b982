/// What the owner of a connection does next. Order does not matter.
struct ConnectionActions: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

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
    /// Tell the peer that there was no memory for its frame, then close.
    static let refuseUnfitFrame = ConnectionActions(rawValue: 1 << 8)
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

    private enum State {
        /// Requests are taken.
        case open(Input)
        /// The peer has closed its sending side; it still gets all its answers. What it sent before is still taken:
        /// `isUnparsed` while that waits.
        case inputClosed(isUnparsed: Bool)
        /// No more requests are taken: answer what is in flight, then close.
        case finishing
        /// All is answered: the transport closes when the peer has taken it.
        case closing
        case closed
    }

    /// Where an open connection is with what its peer sends.
    private enum Input {
        /// No bytes are asked for: waiting is the daemon's doing, not the peer's.
        case paused(Leftover)
        /// Bytes are asked for, and nothing is left of those before.
        case asked
        /// Bytes are asked for, the rest of a frame, since then.
        case awaitingRest(since: UInt64)
        /// What was asked for is being parsed; `restSince`: since when its first frame was waited for.
        case arrived(restSince: UInt64?)
    }

    /// Whether what has arrived can be taken in.
    enum Intake: Hashable, Sendable {
        case open
        /// There is no memory for what comes next, since then.
        case waitsForMemory(since: UInt64)
        /// A request is being decoded elsewhere.
        case decodes
        /// Other connections of the event loop have their turn.
        case waitsForTurn
    }

    private let limits: Limits
    private var state = State.open(.paused(.nothing))
    private var ordering: RequestOrdering<Request>
    /// Requests taken and not answered, watches not counted.
    private(set) var inFlight = 0
    private var inFlightBytes = 0
    private var watches = 0
    /// Since when the peer does not take what was written for it; `nil` while it does.
    private var untakenSince: UInt64?
    private var intake = Intake.open

    init(limits: Limits) {
        self.limits = limits
        self.ordering = RequestOrdering(longReadsMax: limits.longReadsMax)
    }

    /// True while the next frame may be taken from the received bytes.
    var takesFrames: Bool {
        switch state {
        case .open, .inputClosed:
            intake == .open && untakenSince == nil && inFlight < limits.requestsInFlightMax
                && inFlightBytes < limits.requestBytesInFlightMax
        case .finishing, .closing, .closed: false
        }
    }

    /// True while bytes are asked for.
    var asksForBytes: Bool {
        switch state {
        case .open(.asked), .open(.awaitingRest): true
        case .open(.paused), .open(.arrived), .inputClosed, .finishing, .closing, .closed: false
        }
    }

    /// True once the connection only finishes what it has begun.
    var isFinishing: Bool {
        switch state {
        case .open, .inputClosed: false
        case .finishing, .closing, .closed: true
        }
    }

    /// When to look at the clock again, in nanoseconds of the same clock as `now`.
    var nextDeadline: UInt64? {
        let answers = untakenSince.map { $0 + limits.answerTimeoutNanoseconds }
        guard let frame = (restSince ?? memorySince).map({ $0 + limits.partialFrameTimeoutNanoseconds }) else {
            return answers
        }
        return min(frame, answers ?? .max)
    }

    /// Since when there is no memory for what comes next.
    private var memorySince: UInt64? {
        guard case .waitsForMemory(let since) = intake, !isFinishing else { return nil }
        return since
    }

    /// Since when the rest of a frame is waited for.
    private var restSince: UInt64? {
        switch state {
        case .open(.awaitingRest(let since)): since
        case .open(.arrived(let since)): since
        case .open(.paused), .open(.asked), .inputClosed, .finishing, .closing, .closed: nil
        }
    }

    // MARK: Events

    mutating func connected() -> ConnectionActions {
        readIfAllowed(.nothing, now: { 0 })
    }

    /// A request was parsed. Its ticket when it may run now; `nil` when it waits for others of this connection.
    mutating func received(
        _ request: @autoclosure () -> Request, order: CallOrder, isLong: Bool = false, bytes: Int = 0
    ) -> Ticket? {
        inFlight += 1
        inFlightBytes += bytes
        // A frame is whole: what follows it is a new one.
        if case .open(.arrived) = state {
            state = .open(.arrived(restSince: nil))
        }
        return ordering.admit(request(), order: order, isLong: isLong, bytes: bytes)
    }

    /// A waiting request that may run now. Ask again until there is none, after every completion. None runs while the
    /// peer does not take its answers: they would be held for it.
    mutating func nextRunnable() -> Runnable? {
        untakenSince == nil ? ordering.next() : nil
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
        precondition(inFlight >= 0 && inFlightBytes >= 0, "a request must complete only once")
    }

    /// A watch was begun; its request is completed separately.
    mutating func watchBegan() {
        watches += 1
    }

    mutating func watchEnded() {
        watches -= 1
        precondition(watches >= 0, "a watch must end only once")
    }

    /// What has arrived can, or cannot, be taken in.
    mutating func intakeChanged(_ intake: Intake) -> ConnectionActions {
        self.intake = intake
        if case .waitsForMemory = intake { return .scheduleTimer } else { return [] }
    }

    /// The bytes that were asked for have arrived.
    mutating func bytesArrived() {
        if case .open = state {
            state = .open(.arrived(restSince: restSince))
        }
    }

    /// Everything that could be done with what was received, or after a completion, has been done.
    mutating func settled(leftover: Leftover, now: @autoclosure () -> UInt64) -> ConnectionActions {
        if leftover == .unparsed, takesFrames {
            return .parse
        }
        switch state {
        case .open:
            return readIfAllowed(leftover, now: now)
        case .inputClosed:
            guard leftover != .partialFrame else { return ConnectionActions.refuseTruncated.union(finish()) }
            state = .inputClosed(isUnparsed: leftover == .unparsed)
            return closeIfDone()
        case .finishing, .closing, .closed:
            return closeIfDone()
        }
    }

    /// The bytes cannot be a frame. The owner has written the error.
    mutating func frameInvalid() -> ConnectionActions {
        finish()
    }

    /// The peer has closed its sending side.
    mutating func inputEnded(leftover: Leftover, now: @autoclosure () -> UInt64) -> ConnectionActions {
        if case .open = state {
            state = .inputClosed(isUnparsed: leftover == .unparsed)
        }
        return settled(leftover: leftover, now: now())
    }

    mutating func writabilityChanged(_ isWritable: Bool, now: UInt64) -> ConnectionActions {
        switch state {
        case .closed:
            return []
        case .closing:
            // There is still something for the peer, which took a part of it.
            untakenSince = now
            return .scheduleTimer
        case .open, .inputClosed, .finishing:
            untakenSince = isWritable ? nil : now
        }
        guard isWritable else { return .scheduleTimer }
        guard !ordering.hasWaiting else { return .parse }
        switch state {
        case .open(.paused(.unparsed)), .inputClosed(isUnparsed: true): return takesFrames ? .parse : []
        case .open(.paused(let leftover)): return readIfAllowed(leftover, now: { now })
        case .open, .inputClosed, .finishing, .closing, .closed: return []
        }
    }

    /// The transport is to close and has not written everything yet.
    mutating func closeWaits(now: UInt64) -> ConnectionActions {
        guard case .closing = state else { return [] }
        untakenSince = untakenSince ?? now
        return .scheduleTimer
    }

    /// The clock has reached `nextDeadline`.
    mutating func timerFired(now: UInt64) -> ConnectionActions {
        guard let deadline = nextDeadline else { return [] }
        guard now >= deadline else { return .scheduleTimer }
        if let since = untakenSince, now >= since + limits.answerTimeoutNanoseconds {
            close()
            return .abort
        }
        return (memorySince == nil ? ConnectionActions.refuseSlowFrame : .refuseUnfitFrame).union(finish())
    }

    /// Takes no more requests, ends the watches, and closes when everything in flight is answered.
    mutating func finish() -> ConnectionActions {
        guard !isFinishing else { return [] }
        state = .finishing
        return ConnectionActions.endWatches.union(closeIfDone())
    }

    /// The transport is gone. Returns the requests that had not begun.
    mutating func transportClosed() -> [Request] {
        close()
        let dropped = ordering.dropWaiting()
        inFlight -= dropped.count
        return dropped
    }

    // MARK: Decisions

    /// Asks for more bytes where they may be taken, and for the clock while the rest of a frame is awaited.
    private mutating func readIfAllowed(_ leftover: Leftover, now: () -> UInt64) -> ConnectionActions {
        guard case .open(let input) = state else { return [] }
        var actions: ConnectionActions = []
        switch input {
        case .asked, .awaitingRest:
            break
        case .paused, .arrived:
            guard takesFrames, leftover != .unparsed else {
                state = .open(.paused(leftover))
                return []
            }
            actions = .read
        }
        guard leftover == .partialFrame else {
            state = .open(.asked)
            return actions
        }
        let since = restSince
        if since == nil {
            actions.insert(.scheduleTimer)
        }
        state = .open(.awaitingRest(since: since ?? now()))
        return actions
    }

    private mutating func closeIfDone() -> ConnectionActions {
        guard intake != .decodes else { return [] }
        switch state {
        case .finishing where inFlight == 0, .inputClosed(isUnparsed: false) where inFlight == 0 && watches == 0:
            state = .closing
            return .close
        case .open, .inputClosed, .finishing, .closing, .closed:
            return []
        }
    }

    private mutating func close() {
        state = .closed
        untakenSince = nil
    }
}

extension ConnectionMachine.Limits {
    init(_ configuration: ServerConfiguration) {
        self.init(
            requestsInFlightMax: configuration.requestsInFlightMax,
            requestBytesInFlightMax: configuration.requestBytesInFlightMax,
            longReadsMax: CallLimits.longReadsPerConnectionMax,
            partialFrameTimeoutNanoseconds: UInt64(clamping: configuration.partialFrameTimeoutSeconds) * 1_000_000_000,
            answerTimeoutNanoseconds: UInt64(clamping: configuration.answerTimeoutSeconds) * 1_000_000_000)
    }
}
