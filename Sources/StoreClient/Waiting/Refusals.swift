import StoreBasics
import StoreProtocol

/// Answers that say that the daemon had no room for a call, or not yet: the call is made again.
extension CallEffect {
    /// Whether a call that was refused for this reason is made again by itself. The table for applications is in the
    /// article "Offline and retries".
    ///
    /// - Parameter waitsWhileLocked: of a follower, which goes on when the store is open again.
    func waits(for reason: StoreClientError.Reason, waitsWhileLocked: Bool) -> Bool {
        switch reason {
        // Refused before anything was done.
        case .queueFull: true
        case .tooManyFileWrites, .tooManyBlobSessions, .shuttingDown: session != nil
        // It may have been done, and the answer found no room. A check of the store takes long and begins anew.
        case .memoryExhausted, .storeBusy: isRepeatable
        case .storeLocked: waitsWhileLocked && isRepeatable
        default: false
        }
    }

    /// What the call begins, of which the daemon runs a limited number.
    var session: SessionKind? {
        if case .session(let kind) = self { kind } else { nil }
    }
}

/// How long a refused call waits before it is made again.
struct RefusalPause {
    /// Where the daemon names no time.
    private static let shortest = Duration.milliseconds(50)
    private static let longest = Duration.seconds(1)

    private var count = 0

    /// At least what the daemon asks for; longer each time, up to a second; spread by chance, so that programs that
    /// were refused together do not come back together.
    mutating func next(after refusal: StoreClientError) -> Duration {
        let least = refusal.retryAfter ?? Self.shortest
        let pause = min(least * (1 << min(count, 6)), max(least, Self.longest))
        count += 1
        return pause + pause / 2 * Double.random(in: 0...1)
    }
}

extension StoreClient {
    /// Sends a request, again where the daemon has no room for it, and waits for the final answer.
    /// - Parameter failsWhenUnreachable: fails at once, too, where the daemon has no room.
    /// - Parameter onPart: called on the connection's thread with every answer before it.
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
        while true {
            let answer = try await answer(to: body.sparingSecrets(), terms, effect, onPart: onPart)
            guard let refusal = answer.refusal,
                effect.waits(for: refusal.reason, waitsWhileLocked: followsThroughLocks)
            else { return answer }
            if line == nil, !isTriedAgain, refusal.reason != .storeLocked {
                try await expectRoom(in: connection.lines.retries, until: deadline, because: refusal)
                isTriedAgain = true
            }
            try await wait(pause.next(after: refusal), for: line?.ended, until: deadline, because: refusal)
        }
    }

    /// When nobody waits any more for the daemon to have room.
    private func patience(for terms: CallTerms) -> UInt64? {
        guard terms.deadline == nil, deadline == .standard, !followsThroughLocks else { return terms.deadline }
        // Work without a deadline: its beginning has one.
        return ConnectionDriver.now &+ UInt64(connection.configuration.callDeadline.nanosecondsClamped)
    }

    /// Waits in line.
    ///
    /// - Parameter refusal: what the call waits for, for the message.
    /// - Throws: `.deadlineExceeded`, `.cancelled`: the call had no effect.
    func expectRoom(
        in line: WaitingLine, until deadline: UInt64?, because refusal: StoreClientError? = nil
    ) async throws(StoreClientError) {
        if await !line.enter(until: deadline) {
            throw waitEnded(because: refusal)
        }
    }

    /// - Parameter event: ends the pause early when it comes.
    func wait(
        _ pause: Duration, for event: WaitingLine? = nil, until deadline: UInt64?, because refusal: StoreClientError?
    ) async throws(StoreClientError) {
        let now = ConnectionDriver.now
        let end = min(now &+ UInt64(pause.nanosecondsClamped), deadline ?? .max)
        if let event {
            _ = await event.enter(until: end)
        } else {
            try? await Task.sleep(for: .nanoseconds(Int64(clamping: end - min(now, end))))
        }
        guard !Task.isCancelled, deadline.map({ ConnectionDriver.now < $0 }) ?? true else {
            throw waitEnded(because: refusal)
        }
    }

    func waitEnded(because refusal: StoreClientError?) -> StoreClientError {
        guard !Task.isCancelled else {
            return StoreClientError(.cancelled(wasSent: false), fault: nil, configuration: connection.configuration)
        }
        return StoreClientError(
            .deadlineExceeded(wasSent: refusal?.reason == .memoryExhausted), fault: refusal,
            configuration: connection.configuration)
    }
}

extension RequestBody {
    /// Returns the request for one attempt. The connection takes its secrets when it sends them; this keeps the ones
    /// for the next attempt. Both copies are locked in memory, left out of core dumps and wiped at their end.
    ///
    /// - Throws: `.inputOutputFailed` where the system gives no memory.
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
    /// The daemon's error; `nil` where the answer is none.
    var refusal: StoreClientError? {
        isError ? try? StoreClientError(answer: payload) : nil
    }
}
