import Logging
import ReplicaTransport
import StoreBasics

/// Logs failed connections to the stream, and pauses before the next attempt.
struct ConnectionRetry {
    private var backoff = Backoff.ofAgent
    private var lastLogged: String?
    private let logger: Logger
    private let figures: AgentFigures

    init(_ logger: Logger, _ figures: AgentFigures) {
        self.logger = logger
        self.figures = figures
    }

    mutating func failed(_ error: any Error) async {
        guard !Task.isCancelled else { return }
        let pause: Duration
        if let error = error as? TransportError {
            figures.count(.connectionFailures, ["code": error.code.rawValue])
            pause = backoff.next(after: error)
        } else {
            pause = backoff.next()
        }
        let message = "\(error)"
        figures.say(message)
        if lastLogged != message {
            lastLogged = message
            logger.error("no connection to the stream", metadata: ["cause": "\(message)"])
        }
        try? await Task.sleep(for: pause)
    }

    mutating func succeeded() {
        backoff.succeeded()
        lastLogged = nil
    }
}
