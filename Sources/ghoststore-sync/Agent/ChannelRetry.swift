import Logging
import ReplicaModel
import ReplicaTransport
import StoreBasics

/// Handles failures of the daemon and of the stream in one channel: logs a failure unless it is the same as the last
/// one, and pauses.
struct ChannelRetry {
    private var backoff = Backoff.ofAgent
    private var lastLogged: String?
    private let logger: Logger
    private let figures: AgentFigures

    init(_ channel: ReplicaChannel, _ logger: Logger, _ figures: AgentFigures) {
        var logger = logger
        logger[metadataKey: "channel"] = "\(channel.text)"
        self.logger = logger
        self.figures = figures
    }

    /// Logs a failure and pauses.
    ///
    /// - Throws: `CancellationError`, and errors that end the whole connection.
    mutating func failed(_ error: any Error) async throws {
        try Task.checkCancellation()
        if error is CancellationError { throw error }
        let pause: Duration
        if let error = error as? TransportError {
            // The next connection creates the stream again.
            if error.code == .closed || error.code == .streamMissing { throw error }
            figures.count(.streamFailures, ["code": error.code.rawValue])
            pause = backoff.next(after: error)
            logCause(error.message)
        } else {
            figures.count(.daemonFailures)
            pause = backoff.next()
            logCause("the daemon does not answer as expected: \(error)")
        }
        try await Task.sleep(for: pause)
    }

    /// Pauses because too few servers of the stream answer.
    mutating func noQuorum() async throws {
        figures.count(.streamFailures, ["code": TransportError.Code.noQuorum.rawValue])
        logCause("a message was not acknowledged: too few servers of the stream answer")
        try await pause()
    }

    mutating func pause() async throws {
        try await Task.sleep(for: backoff.next())
    }

    mutating func succeeded() {
        backoff.succeeded()
        guard lastLogged != nil else { return }
        lastLogged = nil
        logger.notice("a channel continues")
    }

    private mutating func logCause(_ message: String) {
        guard lastLogged != message else { return }
        lastLogged = message
        logger.warning("a channel is paused: the agent tries again", metadata: ["cause": "\(message)"])
    }
}
