import Testing

@testable import ghoststore_sync

@Suite struct RequestPaceTests {
    private let start = ContinuousClock.now

    /// - Returns: how long the pace delays the next request.
    private func pause(_ pace: inout RequestPace, bytes: Int, waited milliseconds: Int) -> Duration {
        let end = start + .milliseconds(milliseconds)
        pace.recordRequest(bytes: bytes, from: start, to: end)
        return pace.nextRequestTime - end
    }

    @Test func `messages that come at intervals are requested without delay`() {
        var pace = RequestPace()
        #expect(pace.nextRequestTime <= .now)
        for _ in 0..<3 {
            #expect(pause(&pace, bytes: 300, waited: 20) == .zero)
        }
    }

    @Test func `small rounds in quick succession are delayed longer and longer, up to a limit`() {
        var pace = RequestPace()
        let pauses = (0..<8).map { _ in pause(&pace, bytes: 300, waited: 3) }
        #expect(pauses.first == .milliseconds(1))
        for (pause, next) in zip(pauses, pauses.dropFirst()) {
            #expect(next == min(pause * 2, RequestPace.longest))
        }
        #expect(pauses.last == RequestPace.longest)
    }

    @Test(arguments: [(0, 2_000), (RequestPace.fullBytes, 3), (300, 20)])
    func `a round that is empty, full or had to wait resets the delay`(
        _ bytes: Int, _ milliseconds: Int
    ) {
        var pace = RequestPace()
        for _ in 0..<8 {
            pace.recordRequest(bytes: 300, from: start, to: start)
        }
        #expect(pause(&pace, bytes: bytes, waited: milliseconds) == .zero)
        #expect(pause(&pace, bytes: 300, waited: 3) == .milliseconds(1))
    }
}
