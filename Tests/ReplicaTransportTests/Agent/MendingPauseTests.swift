import ReplicaTransport
import StoreBasics
import Testing

@testable import ghoststore_sync

@Suite struct MendingPauseTests {
    @Test(arguments: TransportError.Code.allCases)
    func `errors that need a person are retried rarely from the first failure on, and others soon`(
        code: TransportError.Code
    ) {
        var backoff = Backoff.ofAgent
        let error = TransportError(code, "")
        let pause = backoff.next(after: error)
        // A missing stream needs no person, because the agent creates it.
        let isSoon = error.isWorthRepeating || code == .streamMissing
        #expect(isSoon ? pause < .seconds(1) : pause == Backoff.mendingPause)
    }
}
