/// What the connection to the daemon does next: which calls wait, which are sent, which may be sent again after the
/// connection was lost, when to connect and when to give up. Does no I/O and knows no clock: every event is a method
/// that returns the actions to perform, in order.
struct ConnectionMachine {
    enum Action: Hashable {
        /// Open a connection; answer with `connected` or `connectFailed`.
        case connect
        /// Wait before the given attempt (1 is the first one that waits), then call `pauseEnded`.
        case pause(attempt: Int)
        /// Write the call's frame to the open connection.
        case send(UInt64)
        /// Tell the daemon to end this watch.
        case sendCancel(UInt64)
        /// The call ends without an answer and is forgotten.
        case fail(UInt64, Failure)
        /// Close the connection.
        case disconnect
    }

    /// Why a call ends without an answer.
    enum Failure: Hashable {
        case connectionLost
        /// The daemon sent what is no answer while this call waited for its own.
        case answerUnreadable
        case unreachable
        case deadlineExceeded(wasSent: Bool)
        case cancelled(wasSent: Bool)
        case tooManyWaiting
        case closed
    }

    /// The kinds of answers that matter here.
    enum AnswerKind: Hashable {
        case result(isFinal: Bool)
        /// The daemon stops: it has not done, and will not do, what this call asked.
        case refusedBecauseShuttingDown
    }

    /// What becomes of an answer.
    enum Delivery: Hashable {
        /// Nobody waits for it.
        case toNobody
        /// It is handed to its call, which goes on.
        case asPart
        /// It is handed to its call, which is forgotten.
        case asLast
    }

    /// What is to be done with an answer, and after it.
    struct Received: Hashable {
        let delivery: Delivery
        let actions: [Action]

        init(_ delivery: Delivery, _ actions: [Action] = []) {
            self.delivery = delivery
            self.actions = actions
        }
    }

    private enum Link: Hashable {
        /// Not connected, and nobody waits for it.
        case idle
        case connecting
        case connected
        /// Connected to a daemon that stops: nothing new is sent on this connection.
        case draining
        /// Waiting before the next attempt.
        case pausing
        case closed
    }

    private struct Entry {
        let terms: CallTerms
        let sequence: UInt64
        var deadline: UInt64?
        /// On the connection there is now.
        var isSent = false
        /// On this connection or an earlier one: it may have taken effect.
        var wasEverSent = false
        /// Sent and refused by a stopping daemon: sent again on the next connection.
        var isParked = false
    }

    private let inFlightMax: Int
    private let waitingMax: Int
    private var link = Link.idle
    private var calls: [UInt64: Entry] = [:]
    private(set) var waiting = CallQueue()
    private var waitingCount = 0
    /// Sent calls whose caller has gone; value: whether the call counts as in flight.
    private var abandoned: [UInt64: Bool] = [:]
    private var inFlightCount = 0
    private var nextSequence: UInt64 = 0
    /// Connections that failed or were lost since a call was last answered. Answers that no caller waits for, such as
    /// that to the greeting, do not count: a daemon that greets and closes would be connected to without a pause.
    private var failedAttemptCount = 0

    init(inFlightMax: Int, waitingMax: Int) {
        precondition(inFlightMax > 0 && waitingMax > 0)
        self.inFlightMax = inFlightMax
        self.waitingMax = waitingMax
    }

    var isClosed: Bool {
        link == .closed
    }

    /// The earliest deadline of any call, in the caller's clock.
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

    /// The caller does not wait any more. A call that already ended is not touched.
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

    /// The connection ended. Calls that are safe to repeat wait for the next one, in the order they were made.
    /// - Parameter isUnreadable: it was ended because of bytes that are no answer. Whoever waits for one gets that as
    ///   an error: asked again, the daemon would send them again.
    mutating func connectionLost(isUnreadable: Bool = false) -> [Action] {
        guard link == .connected || link == .draining else { return [] }
        // A daemon that stops closes what it has just accepted, and another one may have its socket already.
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

    /// An answer with this request id arrived.
    mutating func received(_ id: UInt64, _ kind: AnswerKind) -> Received {
        guard let entry = calls[id] else { return Received(.toNobody, receivedForAbandoned(id, kind)) }
        guard entry.isSent && !entry.isParked else { return Received(.toNobody) }
        if kind != .refusedBecauseShuttingDown {
            failedAttemptCount = 0
        }
        switch kind {
        case .result(isFinal: false):
            if entry.terms.isStream {
                // A stream's deadline is for its beginning.
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
                // It has not been done, which is more than is known of calls whose connection ends.
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

    /// A call that was to be sent was not written, because its caller has gone or its frame could not be made: no
    /// answer to it will come.
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

    /// Sends what waits, as far as the bound of calls in flight allows. Watches do not count: they stay.
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

    /// While there is no connection nobody takes from the queue.
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

    /// The first attempt after a connection was lost is made at once, further ones after a pause.
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
