import StoreClient
import StoreProtocol
import TestBasics
import Testing

/// Compares the responses that the writers received with the content of the store after a crash.
struct CrashVerification {
    let client: StoreClient
    let socketPath: String

    /// The result of the comparison for one writer: the possible counts of its writes that the store has applied.
    struct Outcome {
        let log: CrashWriter.Log
        /// Each count of writes after which the expected state equals the state of the store. There are several if the
        /// last writes cancel each other, such as a save and a delete of the same message.
        let appliedCounts: [Int]
        /// The state after all writes of the writer, including those that the store has not applied.
        var finalState: CrashStep.State
    }

    /// Expects that every acknowledged write is complete, and that the unacknowledged ones are applied in order, each
    /// completely or not at all.
    func outcome(of log: CrashWriter.Log, found: CrashStep.State) throws -> Outcome {
        var state: CrashStep.State = [:]
        var applied: [Int] = []
        for count in 0...log.sent.count {
            if count > 0 {
                log.sent[count - 1].step.apply(to: &state)
            }
            if count >= log.answeredCount && state == found {
                applied.append(count)
            }
        }
        try #require(
            !applied.isEmpty,
            "\(log.writer.idPrefix): lost, half-written or altered; \(log.answeredCount) were answered")
        return Outcome(log: log, appliedCounts: applied, finalState: state)
    }

    /// Sends the unacknowledged writes again with the same keys. Writes that the store already has must not be applied
    /// twice. Returns the number of writes that the store already had.
    func repeatUnanswered(_ outcome: Outcome) async throws -> Int {
        let (path, log) = (socketPath, outcome.log)
        let replays = try await onThread {
            let connection = try RawConnection(path)
            return try log.sent.indices.dropFirst(log.answeredCount).map { index in
                let sent = log.sent[index]
                let answer = try connection.call(
                    sent.step.call(conversation: log.writer.conversation), key: sent.key)
                return (index: index, isReplayed: answer.commit.isReplayed, reason: answer.reason)
            }
        }
        let appliedCount = log.answeredCount + replays.prefix { $0.isReplayed }.count
        #expect(outcome.appliedCounts.contains(appliedCount), "\(appliedCount) writes have an answer")
        for replay in replays {
            #expect(replay.reason == nil)
            #expect(replay.isReplayed == (replay.index < appliedCount), "write \(replay.index) of \(appliedCount)")
        }
        return appliedCount - log.answeredCount
    }

    func found(in conversation: String) async throws -> CrashStep.State {
        try await client.allMessages(conversation).reduce(into: [:]) { state, message in
            state[message.id] = CrashMessage(
                id: message.id, text: message.text, timestampMicroseconds: message.timestamp.microseconds,
                isOutgoing: message.isOutgoing)
        }
    }

    /// Expects that a conversation's counts and last message agree with its messages.
    func expectSummary(of conversation: String, messages: CrashStep.State) async throws {
        let summary = try await client.conversation(.sessionID(conversation))
        #expect(summary.messageCount == messages.count)
        #expect(summary.unreadCount == messages.values.count { !$0.isOutgoing })
        let newest = messages.values.max { $0.timestampMicroseconds < $1.timestampMicroseconds }
        #expect(summary.lastMessage?.id == newest?.id)
        #expect(summary.lastMessage?.text.prefix(20) == newest?.text.prefix(20))
    }
}
