import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct FairShareTests {
    @Test func `one user alone gets half, and a second one half of the rest`() {
        var share = FairShare(total: 100)
        var taken: [UInt32: Int] = [:]
        for uid in 1...3 as ClosedRange<UInt32> {
            while share.admits(1, to: uid) {
                share.acquire(1, for: uid)
                taken[uid, default: 0] += 1
            }
        }
        #expect(taken == [1: 50, 2: 25, 3: 13])
        share.release(50, of: 1)
        #expect(share.admits(20, to: 3))
        #expect(share.used == 38)
    }

    @Test(arguments: 0..<20) func `many units at once are admitted like one after the other`(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        var share = FairShare(total: Int.random(in: 2...200, using: &generator))
        share.acquire(Int.random(in: 0..<share.total, using: &generator), for: 1)
        share.acquire(Int.random(in: 1...share.free, using: &generator), for: 2)
        let amount = Int.random(in: 1...50, using: &generator)
        var single = share
        var isAdmitted = true
        for _ in 0..<amount where isAdmitted {
            isAdmitted = single.admits(1, to: 2)
            single.acquire(1, for: 2)
        }
        #expect(share.admits(amount, to: 2) == isAdmitted)
    }

    @Test func `a user who holds nothing can acquire everything that is free`() {
        var share = FairShare(total: 100)
        #expect(share.admits(100, to: 1))
        #expect(!share.admits(101, to: 1))
        share.acquire(50, for: 1)
        #expect(share.admits(50, to: 2))
        #expect(!share.admits(51, to: 2))
        share.acquire(1, for: 2)
        #expect(share.admits(24, to: 2))
        #expect(!share.admits(26, to: 2))
    }

    /// Checks that one user cannot take everything from another user, however large its requests are.
    @Test(arguments: 0..<50) func `one user always leaves room for another who needs half of the total`(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        let total = Int.random(in: 2...10_000, using: &generator)
        var share = FairShare(total: total)
        for _ in 0..<200 {
            let amount = Int.random(in: 0...(total / 2), using: &generator)
            if share.admits(amount, to: 1) {
                share.acquire(amount, for: 1)
            } else if Bool.random(using: &generator) {
                share.release(Int.random(in: 0...share.held(by: 1), using: &generator), of: 1)
            }
            #expect(share.admits(total / 2, to: 2))
        }
    }
}
