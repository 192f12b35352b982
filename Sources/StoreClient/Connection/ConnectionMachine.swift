/// The state machine of the connection to the daemon. It decides which calls wait, which are sent, which are sent again
/// after the connection was lost, when to connect and when to give up. It does no I/O and has no clock: every event is
/// a method that returns the actions to perform, in order.
struct ConnectionMachine {
    enum Action: Hashable {
        /// Open a connection; report `connected` or `connectFailed`.
        case connect
        /// Wait before the given attempt, then call `pauseEnded`. Attempt 1 is the first attempt with a pause.
        case pause(attempt: Int)
        /// Write the call's frame to the open connection.
        case send(UInt64)
        /// Ask the daemon to end this watch or held call.
        case sendCancel(UInt64)
        /// End the call without an answer, and remove it.
        case fail(UInt64, Failure)
        case disconnect
    }

    /// The reason why a call ends without an answer.
    enum Failure: Hashable {
        case connectionLost
        /// The daemon sent invalid bytes while this call waited for its answer.
        case answerUnreadable
        case unreachable
        case deadlineExceeded(wasSent: Bool)
        case cancelled(wasSent: Bool)
        case tooManyWaiting
        case closed
    }

    /// The kinds of answers that the machine distinguishes.
    enum AnswerKind: Hashable {
        case result(isFinal: Bool)
        /// The daemon is stopping. It has not executed this call and will not.
        case refusedBecauseShuttingDown
    }

    /// The destination of an answer.
    enum Delivery: Hashable {
        /// No caller waits for the answer.
        case toNobody
        /// The answer is passed to its call, which continues.
        case asPart
        /// The answer is passed to its call, which then ends.
        case asLast
    }

    /// The destination of an answer, and the actions after it.
    struct Received: Hashable {
        let delivery: Delivery
        let actions: [Action]

        init(_ delivery: Delivery, _ actions: [Action] = []) {
            self.delivery = delivery
            self.actions = actions
        }
    }

    private enum Link: Hashable {
        /// Not connected, and no call waits for a connection.
        case idle
        case connecting
        case connected
        /// Connected to a daemon that is stopping. Nothing new is sent on this connection.
        case draining
        /// Waiting before the next attempt.
        case pausing
        case closed
    }

    private struct Entry {
        let terms: CallTerms
        let sequence: UInt64
        var deadline: UInt64?
        /// True if the call was sent on the present connection.
        var isSent = false
        /// True if the call was sent on this connection or an earlier one, so that it may have taken effect.
        var wasEverSent = false
        /// True if a stopping daemon refused the call. It is sent again on the next connection.
        var isParked = false
    }

    private let inFlightMax: Int
    private let waitingMax: Int
    private var link = Link.idle
    private var calls: [UInt64: Entry] = [:]
    private(set) var waiting = CallQueue()
    private var waitingCount = 0
    /// Sent calls whose caller has stopped waiting. The value says whether the call counts as in flight.
    private var abandoned: [UInt64: Bool] = [:]
    private var inFlightCount = 0
    private var nextSequence: UInt64 = 0
    /// The number of connections that failed or were lost since a call was last answered. Answers that no caller waits
    /// for, such as the answer to the greeting, do not count. Otherwise the client would reconnect without a pause to a
    /// daemon that greets and then closes the connection.
    private var failedAttemptCount = 0

    init(inFlightMax: Int, waitingMax: Int) {
        precondition(inFlightMax > 0 && waitingMax > 0)
        self.inFlightMax = inFlightMax
        self.waitingMax = waitingMax
    }

    var isClosed: Bool {
        link == .closed
    }

    /// The earliest deadline of any call, on the caller's clock.
    var nextDeadline: UInt64? {
        calls.values.lazy.compactMap(\.deadline).min()
    }

    // MARK: Calls

    mutating func submit(_ id: UInt64, _ terms: CallTerms) -> [Action] {
        guard link != .closed else { return [.fail(id, .closed)] }
        guard waitingCount < waitingMax else { return [.fail(id, .tooManyWaiting)] }
        precondition(calls[id] == nil, "a call id must be used only once")
        calls[id] = Entry(terms: terms, sequence: nextSequence, deadline: terms.deadline)
        nextSequence += 1
        waiting.append(id)
        waitingCount += 1
        switch link {
        case .idle:
            return connectOrPause()
        case .connected:
            return pump()
        case .connecting, .draining, .pausing, .closed:
            return []
        }
    }

    /// Removes a call whose caller has stopped waiting. Does nothing if the call has ended.
    mutating func cancel(_ id: UInt64) -> [Action] {
        leave(id) { .cancelled(wasSent: $0) }
    }

    /// Ends every call whose deadline is not after `now`.
    mutating func expire(now: UInt64) -> [Action] {
        let late = calls.filter { $0.value.deadline.map { $0 <= now } ?? false }
        return late.keys.sorted().flatMap { id in
            leave(id) { .deadlineExceeded(wasSent: $0) }
        }
    }

    private mutating func leave(_ id: UInt64, because failure: (Bool) -> Failure) -> [Action] {
        guard let entry = calls.removeValue(forKey: id) else { return [] }
        var actions = [Action.fail(id, failure(entry.wasEverSent))]
        if !entry.isSent {
            waitingCount -= 1
            dropEndedFromQueue()
        } else if !entry.isParked {
            abandoned[id] = !entry.terms.isStream
            if (entry.terms.isStream || entry.terms.isHeld) && link == .connected {
                actions.append(.sendCancel(id))
            }
        }
        return actions
    }

    mutating func close() -> [Action] {
        guard link != .closed else { return [] }
        let wasOpen = link == .connected || link == .draining
        link = .closed
        let ids = calls.keys.sorted()
        forgetEverything()
        return ids.map { .fail($0, .closed) } + (wasOpen ? [.disconnect] : [])
    }

    // MARK: The connection

    mutating func connected() -> [Action] {
        guard link != .closed else { return [.disconnect] }
        link = .connected
        return pump()
    }

    mutating func connectFailed() -> [Action] {
        guard link != .closed else { return [] }
        let actions = failImpatientCalls()
        return actions + connectAgainIfNeeded()
    }

    mutating func pauseEnded() -> [Action] {
        guard link == .pausing else { return [] }
        guard !calls.isEmpty else {
            link = .idle
            failedAttemptCount = 0
            return []
        }
        link = .connecting
        return [.connect]
    }

    /// Records that the connection ended. Calls that are safe to repeat wait for the next connection, in the order in
    /// which they were made.
    ///
    /// - Parameter isUnreadable: True if the connection was ended because of invalid bytes. Calls that wait for an
    ///   answer then fail: if they were sent again, the daemon would send the same bytes again.
    mutating func connectionLost(isUnreadable: Bool = false) -> [Action] {
        guard link == .connected || link == .draining else { return [] }
        // After the first loss, even the calls that must not wait get another attempt: a stopping daemon closes
        // connections that it has just accepted, and its successor may have the socket already.
        var actions = failedAttemptCount == 0 && !isUnreadable ? [] : failImpatientCalls()
        var repeated: [(sequence: UInt64, id: UInt64)] = []
        for (id, entry) in calls.sorted(by: { $0.key < $1.key }) where entry.isSent {
            if isUnreadable && !entry.isParked {
                calls[id] = nil
                actions.append(.fail(id, .answerUnreadable))
            } else if entry.terms.isRepeatable {
                calls[id]?.isSent = false
                calls[id]?.isParked = false
                repeated.append((entry.sequence, id))
            } else {
                calls[id] = nil
                actions.append(.fail(id, .connectionLost))
            }
        }
        waiting.prepend(repeated.sorted { $0.sequence < $1.sequence }.map(\.id))
        waitingCount += repeated.count
        abandoned = [:]
        inFlightCount = 0
        return actions + connectAgainIfNeeded()
    }

    /// Records that an answer with this request ID arrived.
    mutating func received(_ id: UInt64, _ kind: AnswerKind) -> Received {
        guard let entry = calls[id] else { return Received(.toNobody, receivedForAbandoned(id, kind)) }
        guard entry.isSent && !entry.isParked else { return Received(.toNobody) }
        if kind != .refusedBecauseShuttingDown {
            failedAttemptCount = 0
        }
        switch kind {
        case .result(isFinal: false):
            if entry.terms.isStream {
                // The deadline of a stream applies only to its beginning.
                calls[id]?.deadline = nil
            }
            return Received(.asPart)
        case .result(isFinal: true):
            calls[id] = nil
            release(entry.terms)
            return Received(.asLast, pump())
        case .refusedBecauseShuttingDown:
            link = link == .connected ? .draining : link
            release(entry.terms)
            guard entry.terms.isRepeatable else {
                // Let the call fail with the daemon's answer, which says that the call was not executed. If the call
                // failed at the end of the connection instead, its effect would be unknown.
                calls[id] = nil
                return Received(.asLast)
            }
            calls[id]?.isParked = true
            return Received(.toNobody)
        }
    }

    private mutating func receivedForAbandoned(_ id: UInt64, _ kind: AnswerKind) -> [Action] {
        guard kind != .result(isFinal: false), let wasInFlight = abandoned.removeValue(forKey: id) else { return [] }
        inFlightCount -= wasInFlight ? 1 : 0
        return pump()
    }

    /// Records that a call was not written, because its caller has stopped waiting or its frame could not be created.
    /// No answer to it will arrive.
    mutating func notWritten(_ id: UInt64) -> [Action] {
        if let entry = calls[id], entry.isSent && !entry.isParked {
            calls[id] = nil
            release(entry.terms)
            return [.fail(id, .connectionLost)] + pump()
        }
        return receivedForAbandoned(id, .result(isFinal: true))
    }

    // MARK: Steps

    private mutating func release(_ terms: CallTerms) {
        inFlightCount -= terms.isStream ? 0 : 1
    }

    /// Sends waiting calls, up to the limit of calls in flight. Watches do not count, because they last long.
    private mutating func pump() -> [Action] {
        guard link == .connected else { return [] }
        var actions: [Action] = []
        while inFlightCount < inFlightMax, let id = waiting.popFirst() {
            guard let entry = calls[id], !entry.isSent else { continue }
            calls[id]?.isSent = true
            calls[id]?.wasEverSent = true
            waitingCount -= 1
            inFlightCount += entry.terms.isStream ? 0 : 1
            actions.append(.send(id))
        }
        return actions
    }

    private mutating func failImpatientCalls() -> [Action] {
        let impatient = calls.filter { $0.value.terms.failsWhenUnreachable }
        for (id, entry) in impatient {
            calls[id] = nil
            waitingCount -= entry.isSent ? 0 : 1
        }
        dropEndedFromQueue()
        return impatient.keys.sorted().map { .fail($0, .unreachable) }
    }

    /// Drops ended calls from the queue. Otherwise the queue could grow without limit while there is no connection,
    /// because calls are removed from it only when they are sent.
    private mutating func dropEndedFromQueue() {
        let calls = calls
        waiting.dropEnded(liveCount: waitingCount) { calls[$0].map { !$0.isSent } ?? false }
    }

    private mutating func connectAgainIfNeeded() -> [Action] {
        failedAttemptCount += 1
        guard !calls.isEmpty else {
            link = .idle
            return []
        }
        return connectOrPause()
    }

    /// Makes the first attempt after a lost connection at once, and further attempts after a pause.
    private mutating func connectOrPause() -> [Action] {
        guard failedAttemptCount > 1 else {
            link = .connecting
            return [.connect]
        }
        link = .pausing
        return [.pause(attempt: failedAttemptCount - 1)]
    }

    private mutating func forgetEverything() {
        calls = [:]
        waiting = CallQueue()
        waitingCount = 0
        abandoned = [:]
        inFlightCount = 0
    }
}
