import StoreBasics
import StoreClient

/// A client that writes files, attachments and messages, and searches, one call after the other, until the daemon no
/// longer answers.
struct ContentWriter: Sendable {
    let index: Int
    let seed: UInt64
    /// A number that no other run has.
    let run: Int
    /// The data that this writer has from earlier runs.
    let base: ContentState
    /// A clock that is read after each response.
    let clock: @Sendable () -> Int

    /// The steps of the writer with the responses that it received.
    struct Log: Sendable {
        let writer: ContentWriter
        var steps: [ContentStep] = []
        /// The times of the responses: for all steps, or for all except the last one.
        var answeredAt: [Int] = []
        /// Errors other than the end of the daemon. There should be none.
        var refusals: [String] = []

        /// Returns the possible states of the writer's data if everything ended at `time`: all writes acknowledged by
        /// then, with or without the write in progress.
        func states(at time: Int) -> [ContentState] {
            let answered = answeredAt.count { $0 <= time }
            var state = writer.base
            for (number, step) in steps.prefix(answered).enumerated() {
                step.apply(to: &state, number: writer.number(of: number))
            }
            guard answered < steps.count else { return [state] }
            var next = state
            steps[answered].apply(to: &next, number: writer.number(of: answered))
            return [state, next]
        }

    }

    /// The name of both the writer's directory and its conversation.
    var name: String { "w\(index)" }

    /// Returns the number of the content that a step creates. It is unique among all steps of all writers and runs.
    private func number(of step: Int) -> Int {
        (run << 24) + (index << 16) + step
    }

    func write(_ client: StoreClient) async -> Log {
        var log = Log(writer: self)
        var maker = ContentStepMaker(prefix: "r\(run)\(name)", seed: seed)
        var state = base
        while true {
            let step = maker.next(after: state)
            log.steps.append(step)
            do throws(StoreClientError) {
                try await step.run(client, name)
                log.answeredAt.append(clock())
                step.apply(to: &state, number: number(of: log.steps.count - 1))
                if log.steps.count.isMultiple(of: 5) {
                    _ = try await client.searchMessagePage(MessageSearch("amber NOT birch", limit: 10))
                }
            } catch {
                let ends: Set<StoreClientError.Reason> = [
                    .connectionLost, .daemonUnreachable, .socketAbsent, .deadlineExceeded,
                ]
                if !ends.contains(error.reason) {
                    log.refusals.append("\(step): \(error)")
                }
                return log
            }
        }
    }
}
