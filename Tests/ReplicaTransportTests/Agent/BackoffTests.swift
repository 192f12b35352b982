import ReplicaTransport
import StoreBasics
import Testing

@testable import ghoststore_sync

@Suite struct BackoffTests {
    @Test func `waiting doubles up to a bound, with jitter`() {
        var random = SplitMix(seed: 7)
        var backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))
        let waits = (0..<100).map { _ in backoff.next(using: &random) }
        #expect(
            zip(waits, 0...).allSatisfy { wait, index in
                let whole = min(Duration.seconds(5), .milliseconds(100) * (1 << min(index, 20)))
                return wait >= whole * 0.5 && wait <= whole
            })
        #expect(Set(waits.suffix(50)).count > 40)
        backoff.succeeded()
        #expect(backoff.next(using: &random) <= .milliseconds(100))
    }

    @Test(arguments: TransportError.Code.allCases)
    func `what a person has to mend is tried seldom from the first failure on, and all else soon`(
        code: TransportError.Code
    ) {
        var backoff = Backoff()
        let error = TransportError(code, "")
        let pause = backoff.next(after: error)
        // The agent itself makes a stream that is missing.
        let isSoon = error.isWorthRepeating || code == .streamMissing
        #expect(isSoon ? pause < .seconds(1) : pause == Backoff.mendingPause)
    }
}
