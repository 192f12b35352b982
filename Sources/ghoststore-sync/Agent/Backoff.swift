import ReplicaTransport

/// How long to wait before the next attempt: twice as long after each failure, up to a bound, and never just that, so
/// that devices that failed together do not come back together.
struct Backoff {
    private let first: Duration
    private let longest: Duration
    private var failures = 0
    /// What a person has to mend is looked at so often.
    static let mendingPause = Duration.seconds(30)

    init(first: Duration = .milliseconds(250), longest: Duration = .seconds(30)) {
        self.first = first
        self.longest = longest
    }

    mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let whole = min(longest, first * (1 << min(failures, 20)))
        failures += 1
        return whole * Double.random(in: 0.5...1, using: &random)
    }

    mutating func next() -> Duration {
        var random = SystemRandomNumberGenerator()
        return next(using: &random)
    }

    mutating func next(after error: TransportError) -> Duration {
        let pause = next()
        // The next connection makes a stream that is missing.
        return error.isWorthRepeating || error.code == .streamMissing ? pause : Self.mendingPause
    }

    mutating func succeeded() {
        failures = 0
    }
}
