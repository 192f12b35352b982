import ReplicaTransport
import StoreBasics

extension Backoff {
    /// The pause after a failure that a person has to resolve.
    static let mendingPause = Duration.seconds(30)

    /// The pauses of the agent.
    static let ofAgent = Backoff(first: .milliseconds(250), longest: .seconds(30))

    mutating func next(after error: TransportError) -> Duration {
        let pause = next()
        // The next connection makes a stream that is missing.
        return error.isWorthRepeating || error.code == .streamMissing ? pause : Self.mendingPause
    }
}
