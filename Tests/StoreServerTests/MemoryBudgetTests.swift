import StoreBasics
import TestBasics
import Testing

@testable import StoreServer

/// Who gets memory, who waits for it and who has to go, while those who were told take their time.
@Suite struct MemoryBudgetTests {
    @Test func `while a connection that was cut closes, no other one is cut for it`() {
        let peers = MemoryPeers(bytesMax: 24)
        for id in 1...12 as ClosedRange<ConnectionID> {
            peers.leaveUntaken(1, id)
        }
        // Whatever happens meanwhile; one hears that it is cut only now.
        for _ in 0..<50 {
            peers.budget.setUntaken(1, of: peers.account(12))
            let isTaken = peers.budget.take(30, for: peers.account(12), isAlone: false)
            #expect(!isTaken)
            #expect(peers.budget.add(0, uid: 1))
            peers.budget.setUntaken(1, of: peers.account(1))
        }
        #expect(peers.takeCut() == [1])
        peers.close(1)
        peers.budget.setUntaken(1, of: peers.account(2))
        #expect(peers.takeCut() == [])
        #expect(peers.budget.usedBytes == 11)
        peers.leaveUntaken(1, 13)
        #expect(peers.takeCut() == [2])
    }

    @Test func `one large answer cuts as many connections as it takes at once`() {
        let peers = MemoryPeers(bytesMax: 24)
        for id in 1...10 as ClosedRange<ConnectionID> {
            peers.leaveUntaken(1, id)
        }
        peers.leaveUntaken(6, 11)
        #expect(peers.takeCut() == [1, 2, 3, 4, 5])
    }

    @Test func `who takes its answers after it was cut is not counted as leaving with them`() {
        let peers = MemoryPeers(bytesMax: 24)
        for id in 1...12 as ClosedRange<ConnectionID> {
            peers.leaveUntaken(1, id)
        }
        #expect(peers.takeCut() == [1])
        peers.budget.setUntaken(0, of: peers.account(1))
        #expect(peers.budget.add(0, uid: 1))
        #expect(peers.takeCut() == [2])
    }

    /// Against the rule itself: after every event, what stays is below what is left free, or is not held by untaken
    /// answers; and one connection less would not have been enough.
    @Test(arguments: 0..<20 as Range<UInt64>) func `as many are cut as the rule wants and no more`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let total = 1_000
        let peers = MemoryPeers(bytesMax: total)
        var staying: Set<ConnectionID> = []
        var leaving: Set<ConnectionID> = []
        func bytes(of ids: Set<ConnectionID>) -> Int {
            ids.reduce(0) { $0 + (peers.held[$1] ?? 0) }
        }
        for id in 1...400 as ClosedRange<ConnectionID> {
            if let gone = leaving.union(staying).sorted().randomElement(using: &random),
                Int.random(in: 0..<4, using: &random) == 0
            {
                peers.close(gone)
                leaving.remove(gone)
                staying.remove(gone)
            }
            peers.leaveUntaken(.random(in: 1...200, using: &random), id)
            staying.insert(id)
            let oldestFirst = staying.sorted()
            let cut = peers.takeCut()
            #expect(cut == Array(oldestFirst.prefix(cut.count)))
            if let last = cut.last {
                let withoutLast = staying.subtracting(cut.dropLast())
                #expect(bytes(of: withoutLast) * 2 >= total, "\(last) was cut for nothing")
            }
            staying.subtract(cut)
            leaving.formUnion(cut)
            #expect(bytes(of: staying) * 2 < total)
        }
        #expect(peers.budget.usedBytes == bytes(of: staying.union(leaving)))
    }

    @Test func `who finds no room waits, in turn, until some is given back`() {
        let peers = MemoryPeers(bytesMax: 100)
        let (first, second) = (peers.account(1), peers.account(2))
        #expect(peers.budget.take(50, for: first, isAlone: false))
        let isSecondTaken = peers.budget.take(20, for: second, isAlone: false)
        #expect(!isSecondTaken)
        // Another user finds room meanwhile, and half of what is left.
        let other = peers.account(3, uid: 2)
        #expect(peers.budget.take(25, for: other, isAlone: false))
        let isOtherTaken = peers.budget.take(1, for: other, isAlone: false)
        #expect(!isOtherTaken)
        peers.budget.release(50, of: first, isIdle: true)
        #expect(Set(peers.takeGranted()) == [2, 3])
        #expect(peers.budget.usedBytes == 46)
    }

    @Test func `one connection of a user that does nothing else may go beyond the share`() {
        let peers = MemoryPeers(bytesMax: 100)
        #expect(peers.budget.take(40, for: peers.account(1), isAlone: true))
        #expect(peers.budget.take(40, for: peers.account(1), isAlone: true))
        let isSecondTaken = peers.budget.take(10, for: peers.account(2), isAlone: true)
        #expect(!isSecondTaken)
        peers.budget.release(80, of: peers.account(1), isIdle: true)
        #expect(peers.takeGranted() == [2])
    }
}
