import StoreBasics
import StoreProtocol
import SwiftProtobuf

/// The effect of a call, which decides whether the call may be repeated.
enum CallEffect: Hashable {
    /// Only reads, so it may be repeated.
    case read
    /// A read that the daemon may hold for this time before it answers.
    case waitingRead(Duration)
    /// Changes data under an idempotency key, so it may be repeated.
    case mutation(IdempotencyKey)
    /// Changes something. The result is the same however often the call is sent.
    case repeatable
    /// Must not be repeated automatically.
    case once
    /// Begins a session, of which the daemon runs a limited number. The call waits for its turn, and is not repeated if
    /// the daemon may have begun the session.
    case session(SessionKind)
    /// Long work with progress. It must not be repeated automatically and has no deadline unless the caller set one.
    case longWork
    /// Receives answers until its task is cancelled.
    case watch
}

typealias WireCall = WireRequest.OneOf_Call
typealias WireResult = WireResponse.OneOf_Result

extension StoreClient {
    /// Sends a call and waits for its single answer.
    ///
    /// - Parameter read: Returns the expected result; `nil` if the result is of another kind.
    func answer<Value>(
        to call: WireCall, _ effect: CallEffect, read: (WireResult) -> Value?
    ) async throws(StoreClientError) -> Value {
        var key: IdempotencyKey?
        if case .mutation(let given) = effect {
            key = given
        }
        let answer = try await finalAnswer(to: RequestBody(call, key: key), effect)
        return try answer.result(read)
    }

    /// Sends a mutation and waits until it is durable.
    func commit(_ call: WireCall, key: IdempotencyKey) async throws(StoreClientError) -> Commit {
        let committed = try await answer(to: call, .mutation(key)) { result in
            if case .commit(let committed) = result { committed } else { nil }
        }
        return Commit(committed)
    }

    /// Sends long work, reports its progress and waits for its final answer.
    func finish<Value>(
        _ body: RequestBody, progress: @escaping @Sendable (WorkProgress) -> Void, read: (WireResult) -> Value?
    ) async throws(StoreClientError) -> Value {
        let answer = try await finalAnswer(to: body, .longWork) { answer in
            if case .progress(let wire)? = try? WireResponse(serializedBytes: answer.payload).result {
                progress(WorkProgress(wire))
            }
        }
        return try answer.result(read)
    }

    /// Sends a request once and waits for the final answer.
    ///
    /// - Parameter onPart: Receives every earlier answer, on the connection's thread.
    func answer(
        to body: RequestBody, _ terms: CallTerms, _ effect: CallEffect, onPart: @escaping @Sendable (Answer) -> Void
    ) async throws(StoreClientError) -> Answer {
        try await send(body, effect, terms, onPart: onPart).answer()
    }

    /// Sends a request. The caller can wait for its final answer later. Requests are sent in the order in which this
    /// function is called.
    func send(
        _ body: RequestBody, _ effect: CallEffect, _ terms: CallTerms? = nil,
        onPart: @escaping @Sendable (Answer) -> Void = { _ in }
    ) -> SentCall {
        let call = SentCall(connection.driver)
        connection.driver.submit(
            OutgoingCall(id: call.id, body: body.requiring(history), terms: terms ?? self.terms(of: effect)) { event in
                switch event {
                case .answer(let answer) where answer.isFinal: call.end(.success(answer))
                case .answer(let answer): onPart(answer)
                case .failure(let error): call.end(.failure(effect == .read ? error.withoutEffect : error))
                }
            })
        return call
    }

    func terms(of effect: CallEffect, failsWhenUnreachable: Bool = false) -> CallTerms {
        CallTerms(
            isRepeatable: effect.isRepeatable, isStream: effect == .watch,
            isHeld: effect.heldAtMost != nil,
            failsWhenUnreachable: failsWhenUnreachable, deadline: uptimeDeadline(for: effect))
    }

    func uptimeDeadline(for effect: CallEffect) -> UInt64? {
        let limit: Duration? =
            switch deadline {
            case .given(let given): given
            case .standard:
                effect.isUnlimited ? nil : connection.configuration.callDeadline + (effect.heldAtMost ?? .zero)
            }
        return limit.map { ConnectionDriver.now &+ UInt64($0.nanosecondsClamped) }
    }
}

extension CallEffect {
    var isRepeatable: Bool {
        switch self {
        case .read, .waitingRead, .mutation, .repeatable: true
        case .once, .session, .longWork, .watch: false
        }
    }

    /// Returns the effect of a read for which the daemon waits until there is something to read; a plain read if the
    /// wait is shorter than a millisecond.
    static func waiting(_ wait: Duration) -> CallEffect {
        wait < .milliseconds(1) ? .read : .waitingRead(wait)
    }

    /// The longest time that the daemon may hold the call before it answers.
    var heldAtMost: Duration? {
        if case .waitingRead(let wait) = self { wait } else { nil }
    }

    /// True if the call has no deadline by default.
    var isUnlimited: Bool {
        self == .longWork || self == .watch
    }
}

extension Answer {
    /// Decodes the answer on the caller's thread.
    func result<Value>(_ read: (WireResult) -> Value?) throws(StoreClientError) -> Value {
        guard let result = try? WireResponse(serializedBytes: payload).result else {
            throw .answerUnreadable("the daemon sent bytes that are not a response")
        }
        if case .error(let error) = result {
            throw StoreClientError(error)
        }
        guard let value = read(result) else { throw .answerUnreadable("the daemon's answer belongs to another call") }
        return value
    }
}
