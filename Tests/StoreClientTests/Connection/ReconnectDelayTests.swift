import Testing

@testable import StoreClient

@Suite struct ReconnectDelayTests {
    private let delays = ReconnectDelay(min: .milliseconds(20), max: .seconds(2))

    @Test func `delays double and stay between a half and the whole`() {
        #expect(delays.delay(attempt: 1, chance: 1) == .milliseconds(20))
        #expect(delays.delay(attempt: 1, chance: 0) == .milliseconds(10))
        #expect(delays.delay(attempt: 2, chance: 1) == .milliseconds(40))
        #expect(delays.delay(attempt: 3, chance: 0.5) == .milliseconds(60))
    }

    @Test func `delays are bounded, also after very many attempts`() {
        #expect(delays.delay(attempt: 8, chance: 1) == .seconds(2))
        #expect(delays.delay(attempt: Int.max, chance: 1) == .seconds(2))
        #expect(delays.delay(attempt: Int.min, chance: 1) == .milliseconds(20))
    }
}
