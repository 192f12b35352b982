import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct PassphraseThrottleTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `after three failures the delay doubles from one second up to five`() {
        let throttle = PassphraseThrottle()
        var now: UInt64 = 1
        for _ in 0..<3 {
            #expect(throws: Never.self) { try throttle.check(userID: 7, now: now) }
            throttle.failed(userID: 7, now: now)
        }
        for seconds: UInt64 in [1, 2, 4, 5, 5, 5] {
            let refusal = #expect(throws: StoreError.self) { try throttle.check(userID: 7, now: now) }
            #expect(refusal?.reason == .unlockThrottled)
            #expect(refusal?.retryAfterMilliseconds == seconds * 1_000)
            now += seconds * Self.second
            #expect(throws: Never.self) { try throttle.check(userID: 7, now: now) }
            throttle.failed(userID: 7, now: now)
        }
    }

    @Test func `a success clears the failures, and each user has its own`() {
        let throttle = PassphraseThrottle()
        for _ in 0..<3 {
            throttle.failed(userID: 7, now: 1)
        }
        #expect(throws: Never.self) { try throttle.check(userID: 8, now: 1) }
        #expect(throws: StoreError.self) { try throttle.check(userID: 7, now: 1) }
        throttle.succeeded(userID: 7)
        #expect(throws: Never.self) { try throttle.check(userID: 7, now: 1) }
    }

    @Test func `many users take a limited amount of memory, and a user who must wait still waits`() {
        let throttle = PassphraseThrottle()
        for _ in 0..<4 {
            throttle.failed(userID: 1, now: 1)
        }
        for uid in 2..<UInt32(PassphraseThrottle.usersMax * 2) {
            throttle.failed(userID: uid, now: 1)
        }
        #expect(throws: StoreError.self) { try throttle.check(userID: 1, now: 1) }
    }
}
