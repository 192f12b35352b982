import Logging
import StoreBasics

/// Pauses between requests to a daemon that does not answer, and logs this once.
struct DaemonRetry {
    private var backoff = Backoff(first: .milliseconds(250), longest: .seconds(10))
    private var isFailureLogged = false
    private let logger: Logger
    private let figures: AgentFigures

    init(_ logger: Logger, _ figures: AgentFigures) {
        self.logger = logger
        self.figures = figures
    }

    mutating func failed(_ error: any Error) async throws {
        try Task.checkCancellation()
        if error is CancellationError { throw error }
        figures.count(.daemonFailures)
        figures.say("the daemon cannot be reached, or refuses the request")
        if !isFailureLogged {
            isFailureLogged = true
            logger.warning("the daemon cannot be reached, or refuses the request", metadata: ["cause": "\(error)"])
        }
        try await Task.sleep(for: backoff.next())
    }

    mutating func succeeded() {
        backoff.succeeded()
        guard isFailureLogged else { return }
        isFailureLogged = false
        logger.notice("the daemon answers again")
    }
}
