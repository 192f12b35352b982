import StoreClient
import StoreProtocol
import TestBasics
import Testing

/// Compares what eight writers were told with what the store holds after a crash.
struct CrashVerification {
    let client: StoreClient
    let socketPath: String

    /// How many of a writer's writes the store holds, and what they make.
    struct Outcome {
        let log: CrashWriter.Log
        /// Several where the last writes together change nothing: a message that is saved and deleted again.
        let appliedCounts: [Int]
        /// With every write applied.
        var finalState: CrashStep.State
    }

    /// Expects every answered write, whole, and of the unanswered ones either all or nothing each, in order.
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

    /// Sends again what was not answered, under the same keys: what is there already must not happen twice. Returns how
    /// many of them were there.
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

    /// Expects a conversation's counts and last message to be those of its messages.
    func expectSummary(of conversation: String, messages: CrashStep.State) async throws {
        let summary = try await client.conversation(.sessionID(conversation))
        #expect(summary.messageCount == messages.count)
        #expect(summary.unreadCount == messages.values.count { !$0.isOutgoing })
        let newest = messages.values.max { $0.timestampMicroseconds < $1.timestampMicroseconds }
        #expect(summary.lastMessage?.id == newest?.id)
        #expect(summary.lastMessage?.text.prefix(20) == newest?.text.prefix(20))
    }
}
