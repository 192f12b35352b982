import StoreProtocol
import TestBasics
import Testing

/// A call that was sent, with the key it was sent under.
struct SentCall: Sendable {
    let call: WireRequest.OneOf_Call
    let key: [UInt8]
    var answer: WireResponse?
    /// By the writer's clock.
    var answeredAt = 0
    /// True when the first sending was not answered: the answer is that of a second one, after the crash.
    var isRepeated = false

    /// Whether the call was made before the daemon died, as the answers tell.
    var wasMadeBeforeCrash: Bool {
        switch answer?.result {
        case .appendLog(let appended): !isRepeated || appended.isReplayed
        case .commit(let committed): !isRepeated || committed.isReplayed
        default: false
        }
    }

    /// What is wrong with the answer; `nil` when nothing is, or there is none.
    var refusal: String? {
        switch answer?.result {
        case nil, .appendLog, .commit: nil
        case .error(let error): error.reason
        default: "an unexpected result"
        }
    }

    private struct UnknownAnswer: Error {}

    /// Sends calls ahead of their answers until the daemon dies. Blocks meanwhile.
    ///
    /// - Parameters:
    ///   - depth: calls sent before the first of them is answered.
    ///   - clock: asked after each answer.
    ///   - next: makes the call of a number, counted from 0.
    /// - Returns: in the order sent.
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
    /// As if everything had ended at a time.
    func cut(at time: Int) -> [SentCall] {
        map { (call: SentCall) -> SentCall in
            var cut = call
            cut.answer = call.answeredAt <= time ? call.answer : nil
            return cut
        }
    }

    /// Everything before the last answered call must have been made: calls are made in the order sent.
    var answeredCount: Int {
        (self.lastIndex { $0.answer != nil } ?? -1) + 1
    }

    var madeBeforeCrashCount: Int {
        filter(\.wasMadeBeforeCrash).count
    }

    /// Sends again what was not answered, under the same keys. Expects that no call is refused, and that those that
    /// were made before the crash are the first ones, the answered ones among them.
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
