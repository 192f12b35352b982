import ReplicaTransport
import StoreBasics

extension Backoff {
    /// The pause after a failure that a person has to resolve.
    static let mendingPause = Duration.seconds(30)

    /// The pauses of the agent between attempts.
    static let ofAgent = Backoff(first: .milliseconds(250), longest: .seconds(30))

    mutating func next(after error: TransportError) -> Duration {
        let pause = next()
        // A missing stream is created by the next connection, so it needs no long pause.
        return error.isWorthRepeating || error.code == .streamMissing ? pause : Self.mendingPause
    }
}
