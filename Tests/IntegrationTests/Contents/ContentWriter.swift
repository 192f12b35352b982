import StoreBasics
import StoreClient

/// Writes files, attachments and messages, and searches, one after the other, until the daemon answers no more.
struct ContentWriter: Sendable {
    let index: Int
    let seed: UInt64
    /// Unlike that of any other run.
    let run: Int
    /// What it has from runs before.
    let base: ContentState
    /// A clock that is asked after each answer.
    let clock: @Sendable () -> Int

    /// What it was told.
    struct Log: Sendable {
        let writer: ContentWriter
        var steps: [ContentStep] = []
        /// When the answers had come: of all steps but the last, or of all.
        var answeredAt: [Int] = []
        /// Errors that are not the end of the daemon: there should be none.
        var refusals: [String] = []

        /// What the store may hold of the writer when everything ended at a time: what was answered by then, and the
        /// write that was on its way or not.
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

    /// Of its directory and its conversation.
    var name: String { "w\(index)" }

    /// Contents of other writers, and of runs before, have other numbers.
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
