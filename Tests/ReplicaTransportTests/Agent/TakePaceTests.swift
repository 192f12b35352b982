import Testing

@testable import ghoststore_sync

@Suite struct TakePaceTests {
    private let start = ContinuousClock.now

    /// - Returns: how long the pace delays the next take.
    private func pause(_ pace: inout TakePace, bytes: Int, waited milliseconds: Int) -> Duration {
        let end = start + .milliseconds(milliseconds)
        pace.took(bytes: bytes, from: start, to: end)
        return pace.nextTake - end
    }

    @Test func `what comes to a daemon at rest is taken at once, and so is what follows it`() {
        var pace = TakePace()
        #expect(pace.nextTake <= .now)
        for _ in 0..<3 {
            #expect(pause(&pace, bytes: 300, waited: 20) == .zero)
        }
    }

    @Test func `small rounds close behind each other are put off longer and longer, up to a bound`() {
        var pace = TakePace()
        let pauses = (0..<8).map { _ in pause(&pace, bytes: 300, waited: 3) }
        #expect(pauses.first == .milliseconds(1))
        for (pause, next) in zip(pauses, pauses.dropFirst()) {
            #expect(next == min(pause * 2, TakePace.longest))
        }
        #expect(pauses.last == TakePace.longest)
    }

    @Test(arguments: [(0, 2_000), (TakePace.fullBytes, 3), (300, 20)])
    func `a pause ends with a round that is empty, full, or that the daemon had to wait for`(
        _ bytes: Int, _ milliseconds: Int
    ) {
        var pace = TakePace()
        for _ in 0..<8 {
            pace.took(bytes: 300, from: start, to: start)
        }
        #expect(pause(&pace, bytes: bytes, waited: milliseconds) == .zero)
        #expect(pause(&pace, bytes: 300, waited: 3) == .milliseconds(1))
    }
}
