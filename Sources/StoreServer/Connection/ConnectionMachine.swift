/// Actions that the owner of a connection performs next. Their order does not matter.
struct ConnectionActions: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    /// Request more bytes from the transport.
    static let read = ConnectionActions(rawValue: 1 << 0)
    /// Parse frames in the received bytes, and start requests that may run.
    static let parse = ConnectionActions(rawValue: 1 << 1)
    /// Check the clock again at `nextDeadline`.
    static let scheduleTimer = ConnectionActions(rawValue: 1 << 2)
    static let endWatches = ConnectionActions(rawValue: 1 << 3)
    /// Send an error that the last frame is incomplete, then close.
    static let refuseTruncated = ConnectionActions(rawValue: 1 << 4)
    /// Send an error that the frame took too long, then close.
    static let refuseSlowFrame = ConnectionActions(rawValue: 1 << 5)
    /// Close when the peer has read everything written. If that takes time, call `closeWaits`.
    static let close = ConnectionActions(rawValue: 1 << 6)
    /// Close at once, without waiting for the peer to read.
    static let abort = ConnectionActions(rawValue: 1 << 7)
    /// Send an error that there was no memory for the frame, then close.
    static let refuseUnfitFrame = ConnectionActions(rawValue: 1 << 8)
}

/// The state machine of one connection, without I/O and without a clock: it receives events and returns actions.
///
/// It requests no bytes while too many requests are in flight or the peer does not read its answers. So the memory that
/// one peer can make the daemon hold is limited, whatever it sends.
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

    /// The kind of received bytes that parsing left over.
    enum Leftover: Hashable, Sendable {
        case nothing
        case partialFrame
        /// Bytes that parsing did not reach; they may contain whole frames.
        case unparsed
    }

    private enum State {
        /// The connection accepts requests.
        case open(Input)
        /// The peer has closed its sending side. It still gets all its answers, and requests that it sent before are
        /// still accepted. `isUnparsed` is true while bytes of such requests are not parsed.
        case inputClosed(isUnparsed: Bool)
        /// The connection accepts no more requests. It closes when those in flight are answered.
        case finishing
        /// All requests are answered. The transport closes when the peer has read the answers.
        case closing
        case closed
    }

    /// The state of the input of an open connection.
    private enum Input {
        /// No bytes are requested. The daemon causes the wait, not the peer.
        case paused(Leftover)
        /// Bytes are requested, and no received bytes are left.
        case asked
        /// The rest of a frame is requested, since the given time.
        case awaitingRest(since: UInt64)
        /// The received bytes are being parsed. `restSince` is the time since when the rest of the first frame was
        /// awaited.
        case arrived(restSince: UInt64?)
    }

    /// The state that decides whether the received bytes can be processed.
    enum Intake: Hashable, Sendable {
        case open
        /// No memory is available for the next frame, since the given time.
        case waitsForMemory(since: UInt64)
        /// A request is being decoded on another thread.
        case decodes
        /// The connection waits while other connections of the event loop have their turn.
        case waitsForTurn
    }

    private let limits: Limits
    private var state = State.open(.paused(.nothing))
    private var ordering: RequestOrdering<Request>
    /// The number of unanswered requests, not counting watches.
    private(set) var inFlight = 0
    private var inFlightBytes = 0
    private var watches = 0
    /// The time since when the peer does not read its answers; `nil` while it does.
    private var unreadSince: UInt64?
    private var intake = Intake.open

    init(limits: Limits) {
        self.limits = limits
        self.ordering = RequestOrdering(longReadsMax: limits.longReadsMax)
    }

    /// True while the next frame in the received bytes may be parsed.
    var acceptsFrames: Bool {
        switch state {
        case .open, .inputClosed:
            intake == .open && unreadSince == nil && inFlight < limits.requestsInFlightMax
                && inFlightBytes < limits.requestBytesInFlightMax
        case .finishing, .closing, .closed: false
        }
    }

    var asksForBytes: Bool {
        switch state {
        case .open(.asked), .open(.awaitingRest): true
        case .open(.paused), .open(.arrived), .inputClosed, .finishing, .closing, .closed: false
        }
    }

    /// True when the connection only completes what it has begun.
    var isFinishing: Bool {
        switch state {
        case .open, .inputClosed: false
        case .finishing, .closing, .closed: true
        }
    }

    /// The time of the next check of the clock, in nanoseconds on the clock of the `now` parameters.
    var nextDeadline: UInt64? {
        let answers = unreadSince.map { $0 + limits.answerTimeoutNanoseconds }
        guard let frame = (restSince ?? memorySince).map({ $0 + limits.partialFrameTimeoutNanoseconds }) else {
            return answers
        }
        return min(frame, answers ?? .max)
    }

    /// The time since when no memory is available for the next frame.
    private var memorySince: UInt64? {
        guard case .waitsForMemory(let since) = intake, !isFinishing else { return nil }
        return since
    }

    /// The time since when the rest of a frame is awaited.
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

    /// Records that a request was parsed. Returns its ticket if it may run now, and `nil` if it must wait for other
    /// requests of this connection.
    mutating func received(
        _ request: @autoclosure () -> Request, order: CallOrder, isLong: Bool = false, bytes: Int = 0
    ) -> Ticket? {
        inFlight += 1
        inFlightBytes += bytes
        // The frame is complete, so the bytes after it belong to a new frame.
        if case .open(.arrived) = state {
            state = .open(.arrived(restSince: nil))
        }
        return ordering.admit(request(), order: order, isLong: isLong, bytes: bytes)
    }

    /// Returns a waiting request that may run now. Call it after every completion until it returns `nil`. While the
    /// peer does not read its answers, no request runs, because its answer would have to be kept in memory.
    mutating func nextRunnable() -> Runnable? {
        unreadSince == nil ? ordering.next() : nil
    }

    /// Removes and returns the cancelled reads that have not begun. The owner must complete them without running them.
    mutating func withdrawReads(where isMeant: (Request) -> Bool) -> [Runnable] {
        ordering.withdrawReads(where: isMeant)
    }

    /// Records that the last answer to a request was written.
    mutating func completed(_ ticket: Ticket) {
        ordering.complete(ticket)
        inFlight -= 1
        inFlightBytes -= ticket.bytes
        precondition(inFlight >= 0 && inFlightBytes >= 0, "a request must complete only once")
    }

    /// Records that a watch began. The request that began it is completed separately.
    mutating func watchBegan() {
        watches += 1
    }

    mutating func watchEnded() {
        watches -= 1
        precondition(watches >= 0, "a watch must end only once")
    }

    /// Records whether the received bytes can be processed.
    mutating func intakeChanged(_ intake: Intake) -> ConnectionActions {
        self.intake = intake
        if case .waitsForMemory = intake { return .scheduleTimer } else { return [] }
    }

    /// Records that the requested bytes have arrived.
    mutating func bytesArrived() {
        if case .open = state {
            state = .open(.arrived(restSince: restSince))
        }
    }

    /// Records that the owner has parsed all received bytes that it may parse now. Call it after bytes have arrived and
    /// after requests were completed.
    mutating func inputProcessed(leftover: Leftover, now: @autoclosure () -> UInt64) -> ConnectionActions {
        if leftover == .unparsed, acceptsFrames {
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

    /// Records that the bytes are not a valid frame. The owner has written the error.
    mutating func frameInvalid() -> ConnectionActions {
        finish()
    }

    /// Records that the peer has closed its sending side.
    mutating func inputEnded(leftover: Leftover, now: @autoclosure () -> UInt64) -> ConnectionActions {
        if case .open = state {
            state = .inputClosed(isUnparsed: leftover == .unparsed)
        }
        return inputProcessed(leftover: leftover, now: now())
    }

    mutating func writabilityChanged(_ isWritable: Bool, now: UInt64) -> ConnectionActions {
        switch state {
        case .closed:
            return []
        case .closing:
            // The peer has read some of the remaining answers but not all, so the answer timeout starts again.
            unreadSince = now
            return .scheduleTimer
        case .open, .inputClosed, .finishing:
            unreadSince = isWritable ? nil : now
        }
        guard isWritable else { return .scheduleTimer }
        guard !ordering.hasWaiting else { return .parse }
        switch state {
        case .open(.paused(.unparsed)), .inputClosed(isUnparsed: true): return acceptsFrames ? .parse : []
        case .open(.paused(let leftover)): return readIfAllowed(leftover, now: { now })
        case .open, .inputClosed, .finishing, .closing, .closed: return []
        }
    }

    /// Records that the transport will close only after the peer has read the rest of the answers.
    mutating func closeWaits(now: UInt64) -> ConnectionActions {
        guard case .closing = state else { return [] }
        unreadSince = unreadSince ?? now
        return .scheduleTimer
    }

    /// Records that the clock has reached `nextDeadline`.
    mutating func timerFired(now: UInt64) -> ConnectionActions {
        guard let deadline = nextDeadline else { return [] }
        guard now >= deadline else { return .scheduleTimer }
        if let since = unreadSince, now >= since + limits.answerTimeoutNanoseconds {
            close()
            return .abort
        }
        return (memorySince == nil ? ConnectionActions.refuseSlowFrame : .refuseUnfitFrame).union(finish())
    }

    /// Accepts no more requests, ends the watches, and closes when everything in flight is answered.
    mutating func finish() -> ConnectionActions {
        guard !isFinishing else { return [] }
        state = .finishing
        return ConnectionActions.endWatches.union(closeIfDone())
    }

    /// Records that the transport is closed. Returns the requests that had not begun.
    mutating func transportClosed() -> [Request] {
        close()
        let dropped = ordering.dropWaiting()
        inFlight -= dropped.count
        return dropped
    }

    // MARK: Decisions

    /// Requests more bytes if they could be processed now. Also requests a timer if the rest of a frame is awaited.
    private mutating func readIfAllowed(_ leftover: Leftover, now: () -> UInt64) -> ConnectionActions {
        guard case .open(let input) = state else { return [] }
        var actions: ConnectionActions = []
        switch input {
        case .asked, .awaitingRest:
            break
        case .paused, .arrived:
            guard acceptsFrames, leftover != .unparsed else {
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
        unreadSince = nil
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
