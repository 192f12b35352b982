import StoreBasics
import StoreProtocol

/// The retries of calls that the daemon refused because it had no room for them.
extension CallEffect {
    /// Returns whether a call that was refused for this reason is made again. The article "Offline and retries" has the
    /// table for applications.
    ///
    /// - Parameter waitsWhileLocked: True for the call of a follower that waits until the store is open again.
    func waits(for reason: StoreClientError.Reason, waitsWhileLocked: Bool) -> Bool {
        switch reason {
        // The daemon refused the call before it did anything.
        case .queueFull: true
        case .tooManyFileWrites, .tooManyBlobSessions, .shuttingDown: session != nil
        // After `.memoryExhausted`, the daemon may have executed the call: it had no room for the answer. A check of
        // the store is not repeated, because it takes long and would start again.
        case .memoryExhausted, .storeBusy: isRepeatable
        case .storeLocked: waitsWhileLocked && isRepeatable
        default: false
        }
    }

    /// The kind of session that the call begins; the daemon runs a limited number of them.
    var session: SessionKind? {
        if case .session(let kind) = self { kind } else { nil }
    }
}

/// The pauses before a refused call is made again. A pause is the time that the daemon asks for, plus a random time
/// that grows with each attempt, up to a second.
struct RefusalPause {
    private var backoff = Backoff(first: .milliseconds(50), longest: .seconds(1))

    mutating func next(after refusal: StoreClientError) -> Duration {
        (refusal.retryAfter ?? .zero) + backoff.next()
    }
}

extension StoreClient {
    /// Sends a request and waits for the final answer. Sends the request again while the daemon has no room for it.
    ///
    /// - Parameters:
    ///   - failsWhenUnreachable: True to fail at once, also if the daemon has no room.
    ///   - onPart: Receives every earlier answer, on the connection's thread.
    func finalAnswer(
        to body: RequestBody, _ effect: CallEffect, failsWhenUnreachable: Bool = false,
        onPart: @escaping @Sendable (Answer) -> Void = { _ in }
    ) async throws(StoreClientError) -> Answer {
        let terms = terms(of: effect, failsWhenUnreachable: failsWhenUnreachable)
        guard !failsWhenUnreachable else { return try await answer(to: body, terms, effect, onPart: onPart) }
        var body = body
        let line = effect.session.map { connection.lines.beginning($0) }
        let deadline = patience(for: terms)
        if let line {
            try await expectRoom(in: line.turn, until: deadline)
        }
        defer { line?.turn.leave() }
        var isTriedAgain = false
        defer {
            if isTriedAgain {
                connection.lines.retries.leave()
            }
        }
        var pause = RefusalPause()
        var mayBeDone = false
        while true {
            let answer = try await answer(to: body.sparingSecrets(), terms, effect, onPart: onPart)
            guard let refusal = answer.refusal,
                effect.waits(for: refusal.reason, waitsWhileLocked: followsThroughLocks)
            else { return answer }
            mayBeDone = mayBeDone || refusal.reason == .memoryExhausted
            if line == nil, !isTriedAgain, refusal.reason != .storeLocked {
                try await expectRoom(
                    in: connection.lines.retries, until: deadline, because: refusal, mayBeDone: mayBeDone)
                isTriedAgain = true
            }
            try await wait(
                pause.next(after: refusal), for: line?.ended, until: deadline, because: refusal, mayBeDone: mayBeDone)
        }
    }

    /// Returns the time at which a call stops waiting for the daemon to have room.
    private func patience(for terms: CallTerms) -> UInt64? {
        guard terms.deadline == nil, deadline == .standard, !followsThroughLocks else { return terms.deadline }
        // Long work has no deadline, but its beginning has one.
        return ConnectionDriver.now &+ UInt64(connection.configuration.callDeadline.nanosecondsClamped)
    }

    /// Waits until there is room for this call in a line.
    ///
    /// - Parameters:
    ///   - refusal: The refusal after which the call waits; the error contains its reason.
    ///   - mayBeDone: True if the daemon may have executed the call at an earlier attempt; the error says so.
    /// - Throws: `.deadlineExceeded`, `.cancelled`.
    func expectRoom(
        in line: WaitingLine, until deadline: UInt64?, because refusal: StoreClientError? = nil, mayBeDone: Bool = false
    ) async throws(StoreClientError) {
        if await !line.enter(until: deadline) {
            throw waitEnded(because: refusal, mayBeDone: mayBeDone)
        }
    }

    /// Waits until a pause is over.
    ///
    /// - Parameter event: A line; the pause ends early if there is room in it.
    func wait(
        _ pause: Duration, for event: WaitingLine? = nil, until deadline: UInt64?, because refusal: StoreClientError?,
        mayBeDone: Bool = false
    ) async throws(StoreClientError) {
        let now = ConnectionDriver.now
        let end = min(now &+ UInt64(pause.nanosecondsClamped), deadline ?? .max)
        if let event {
            _ = await event.enter(until: end)
        } else {
            try? await Task.sleep(for: .nanoseconds(Int64(clamping: end - min(now, end))))
        }
        guard !Task.isCancelled, deadline.map({ ConnectionDriver.now < $0 }) ?? true else {
            throw waitEnded(because: refusal, mayBeDone: mayBeDone)
        }
    }

    func waitEnded(because refusal: StoreClientError?, mayBeDone: Bool) -> StoreClientError {
        guard !Task.isCancelled else {
            return StoreClientError(.cancelled(wasSent: mayBeDone), fault: nil, configuration: connection.configuration)
        }
        return StoreClientError(
            .deadlineExceeded(wasSent: mayBeDone), fault: refusal, configuration: connection.configuration)
    }
}

extension RequestBody {
    /// Returns the request for one attempt. The connection takes the secrets of that request when it sends them; this
    /// value keeps copies for the next attempt. All copies are locked in memory, excluded from core dumps and wiped at
    /// the end.
    ///
    /// - Throws: `.inputOutputFailed` if the system gives no memory.
    mutating func sparingSecrets() throws(StoreClientError) -> RequestBody {
        var attempt = self
        for index in secrets.indices {
            guard let secret = secrets[index].box.take() else { continue }
            attempt.secrets[index].box = TakeOnce(
                try secret.withUnsafeBytes { (bytes) throws(StoreClientError) in try LockedBytes(copying: bytes) })
            secrets[index].box = TakeOnce(secret)
        }
        return attempt
    }
}

extension Answer {
    /// The daemon's error; `nil` if the answer is not an error.
    var refusal: StoreClientError? {
        isError ? try? StoreClientError(answer: payload) : nil
    }
}
