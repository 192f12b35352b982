import StoreProtocol
import TestBasics
import Testing

/// A call that was sent, with its idempotency key and its response.
struct SentCall: Sendable {
    let call: WireRequest.OneOf_Call
    let key: [UInt8]
    var answer: WireResponse?
    /// The time of the response on the writer's clock.
    var answeredAt = 0
    /// True if the first request was not answered, so that `answer` is the response to the repeated request after the
    /// crash.
    var isRepeated = false

    /// True if the responses show that the daemon applied the call before it died.
    var wasMadeBeforeCrash: Bool {
        switch answer?.result {
        case .appendLog(let appended): !isRepeated || appended.isReplayed
        case .commit(let committed): !isRepeated || committed.isReplayed
        default: false
        }
    }

    /// The reason why the response is wrong, or `nil` for a correct or missing response.
    var refusal: String? {
        switch answer?.result {
        case nil, .appendLog, .commit: nil
        case .error(let error): error.reason
        default: "an unexpected result"
        }
    }

    private struct UnknownAnswer: Error {}

    /// Sends calls before their responses arrive, until the daemon dies. Blocks the thread meanwhile.
    ///
    /// - Parameters:
    ///   - depth: the number of calls that are sent before the first of them is answered.
    ///   - clock: a clock that is read after each response.
    ///   - next: returns the call with a number, counted from 0.
    /// - Returns: the calls in the order sent.
    static func sendUntilKilled(
        _ socketPath: String, depth: Int, clock: () -> Int, next: (Int) -> SentCall
    ) throws -> [SentCall] {
        var sent: [SentCall] = []
        var unanswered = 0
        do {
            let connection = try RawConnection(socketPath)
            while true {
                while unanswered < depth {
                    let call = next(sent.count)
                    sent.append(call)
                    try connection.send(UInt64(sent.count), call.call, key: call.key)
                    unanswered += 1
                }
                guard let response = try connection.receive() else { return sent }
                let index = Int(clamping: response.id) - 1
                guard sent.indices.contains(index) else { throw UnknownAnswer() }
                sent[index].answer = response
                sent[index].answeredAt = clock()
                unanswered -= 1
            }
        } catch is RawConnection.Closed {
            return sent
        }
    }
}

extension [SentCall] {
    /// Returns the calls as if everything had ended at `time`.
    func cut(at time: Int) -> [SentCall] {
        map { (call: SentCall) -> SentCall in
            var cut = call
            cut.answer = call.answeredAt <= time ? call.answer : nil
            return cut
        }
    }

    /// The number of calls up to the last answered one. Calls are applied in the order sent, so all of these must be in
    /// the store.
    var answeredCount: Int {
        (self.lastIndex { $0.answer != nil } ?? -1) + 1
    }

    var madeBeforeCrashCount: Int {
        filter(\.wasMadeBeforeCrash).count
    }

    /// Sends the unanswered calls again with the same keys. Expects that no call is rejected, and that the calls
    /// applied before the crash are the first ones and include all answered ones.
    func repeatingUnanswered(_ socketPath: String) async throws -> [SentCall] {
        let sent = self
        let repeated: [SentCall] = try await onThread {
            let connection = try RawConnection(socketPath)
            return try sent.map { (call: SentCall) -> SentCall in
                guard call.answer == nil else { return call }
                var repeated = call
                repeated.answer = try connection.call(call.call, key: call.key)
                repeated.isRepeated = true
                return repeated
            }
        }
        #expect(repeated.compactMap(\.refusal) == [])
        let made = repeated.prefix(while: { $0.wasMadeBeforeCrash }).count
        #expect(made == repeated.madeBeforeCrashCount, "a call was lost, and a later one of its client was not")
        #expect(made >= sent.answeredCount, "an answered call was lost")
        return repeated
    }
}
