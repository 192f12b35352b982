import StoreBasics
import TestBasics
import Testing

@testable import StoreServer

/// Tests which connections get memory, which wait for it and which are cut. A connection that is cut closes with a
/// delay.
@Suite struct MemoryBudgetTests {
    @Test func `no other connection is cut while a cut connection closes`() {
        let peers = MemoryPeers(bytesMax: 24)
        for id in 1...12 as ClosedRange<ConnectionID> {
            peers.leaveUntaken(1, id)
        }
        // The budget decides at once to cut connection 1, but the connection closes only after the following events.
        // Until then no other connection is cut.
        for _ in 0..<50 {
            peers.budget.setUnread(1, of: peers.account(12))
            let isTaken = peers.budget.acquire(30, for: peers.account(12), isAlone: false)
            #expect(!isTaken)
            peers.budget.add(0, uid: 1)
            peers.budget.setUnread(1, of: peers.account(1))
        }
        #expect(peers.takeCut() == [1])
        peers.close(1)
        peers.budget.setUnread(1, of: peers.account(2))
        #expect(peers.takeCut() == [])
        #expect(peers.budget.usedBytes == 11)
        peers.leaveUntaken(1, 13)
        #expect(peers.takeCut() == [2])
    }

    @Test func `one large response cuts as many connections as necessary at once`() {
        let peers = MemoryPeers(bytesMax: 24)
        for id in 1...10 as ClosedRange<ConnectionID> {
            peers.leaveUntaken(1, id)
        }
        peers.leaveUntaken(6, 11)
        #expect(peers.takeCut() == [1, 2, 3, 4, 5])
    }

    @Test func `a cut connection that reads its responses is replaced by the next one`() {
        let peers = MemoryPeers(bytesMax: 24)
        for id in 1...12 as ClosedRange<ConnectionID> {
            peers.leaveUntaken(1, id)
        }
        #expect(peers.takeCut() == [1])
        peers.budget.setUnread(0, of: peers.account(1))
        peers.budget.add(0, uid: 1)
        #expect(peers.takeCut() == [2])
        let isFirstConfirmed = peers.budget.confirmCut(of: peers.account(1))
        let isSecondConfirmed = peers.budget.confirmCut(of: peers.account(2))
        #expect(!isFirstConfirmed && isSecondConfirmed)
    }

    /// After every event, the remaining connections hold less than half of the memory. If one connection fewer had been
    /// cut, they would hold at least half.
    @Test(arguments: TestSeeds.range(4, long: 20)) func `no more connections are cut than necessary`(seed: UInt64) {
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

    @Test func `a connection without free memory waits in turn until memory is released`() {
        let peers = MemoryPeers(bytesMax: 100)
        let (first, second) = (peers.account(1), peers.account(2))
        #expect(peers.budget.acquire(50, for: first, isAlone: false))
        let isSecondTaken = peers.budget.acquire(20, for: second, isAlone: false)
        #expect(!isSecondTaken)
        // Meanwhile another user still gets memory, up to half of what is left.
        let other = peers.account(3, uid: 2)
        #expect(peers.budget.acquire(25, for: other, isAlone: false))
        let isOtherTaken = peers.budget.acquire(1, for: other, isAlone: false)
        #expect(!isOtherTaken)
        peers.budget.release(50, uid: 1)
        #expect(Set(peers.takeGranted()) == [2, 3])
        #expect(peers.budget.usedBytes == 46)
    }

    @Test func `one connection of a user may exceed the share if it has no other work`() {
        let peers = MemoryPeers(bytesMax: 100)
        #expect(peers.budget.acquire(40, for: peers.account(1), isAlone: true))
        #expect(peers.budget.acquire(40, for: peers.account(1), isAlone: true))
        let isSecondTaken = peers.budget.acquire(10, for: peers.account(2), isAlone: true)
        #expect(!isSecondTaken)
        // The first connection may exceed the share until its request is answered. Then the second connection gets
        // memory.
        #expect(peers.budget.acquire(10, for: peers.account(1), isAlone: true))
        peers.budget.endPreference(of: peers.account(1))
        #expect(peers.takeGranted() == [2])
    }

    @Test func `a waiting connection may exceed the share when its own work is done`() {
        let peers = MemoryPeers(bytesMax: 100)
        #expect(peers.budget.acquire(60, for: peers.account(1), isAlone: true))
        let isTaken = peers.budget.acquire(30, for: peers.account(2), isAlone: false)
        #expect(!isTaken && peers.takeGranted() == [])
        peers.budget.becameAlone(peers.account(2))
        #expect(peers.takeGranted() == [2])
    }

    @Test func `a later request does not overtake a waiting one of the same user`() {
        let peers = MemoryPeers(bytesMax: 100)
        #expect(peers.budget.acquire(40, for: peers.account(1), isAlone: false))
        let isLargeTaken = peers.budget.acquire(30, for: peers.account(2), isAlone: false)
        let isSmallTaken = peers.budget.acquire(1, for: peers.account(3), isAlone: false)
        #expect(!isLargeTaken && !isSmallTaken)
        #expect(peers.budget.acquire(1, for: peers.account(4, uid: 2), isAlone: false))
        peers.budget.release(40, uid: 1)
        #expect(peers.takeGranted() == [2, 3])
    }

    @Test func `released memory goes to users in turn`() {
        let peers = MemoryPeers(bytesMax: 1_000, requestBytesMax: 0)
        peers.budget.add(1_000, uid: 9)
        for uid in 1...3 as ClosedRange<UInt32> {
            for number in 0..<3 as Range<UInt64> {
                let account = peers.account(UInt64(uid) * 10 + number, uid: uid)
                let isTaken = peers.budget.acquire(100, for: account, isAlone: false)
                #expect(!isTaken)
            }
        }
        var granted: [UInt64] = []
        for _ in 0..<9 {
            peers.budget.release(100, uid: 9)
            let now = peers.takeGranted()
            granted += now.map { $0 / 10 }
            now.forEach { peers.budget.release(100, uid: UInt32($0 / 10)) }
            granted += peers.takeGranted().map { $0 / 10 }
        }
        #expect(Set(granted.prefix(3)) == [1, 2, 3])
    }

    /// Incomplete frames of one user take half of the memory, and unread responses of the same user take the size of
    /// one request in addition. The unread responses alone are less than half, so no connection is cut.
    @Test func `one user holds at most half of the memory and the size of one request`() {
        let peers = MemoryPeers(bytesMax: 96, requestBytesMax: 32)
        while peers.budget.acquire(1, for: peers.account(1), isAlone: false) {}
        #expect(peers.budget.usedBytes == 48)
        for id in 2...20 as ClosedRange<ConnectionID> where peers.budget.addAnswer(8, uid: 1) {
            peers.budget.release(8, uid: 1)
            peers.leaveUntaken(8, id)
        }
        #expect(peers.budget.usedBytes == 80 && peers.takeCut() == [])
        // A small response for another user still fits. A response that does not fit costs the first user connections.
        #expect(peers.budget.addAnswer(16, uid: 2))
        let isTaken = peers.budget.addAnswer(20, uid: 2)
        #expect(!isTaken)
        #expect(peers.takeCut() == [2, 3, 4, 5])
    }

    @Test func `a user who holds more than others costs them no connection`() {
        let peers = MemoryPeers(bytesMax: 96, requestBytesMax: 32)
        peers.budget.add(60, uid: 1)
        peers.budget.add(20, uid: 2)
        peers.leaveUntaken(9, 1, uid: 2)
        let isTaken = peers.budget.acquire(10, for: peers.account(2, uid: 1), isAlone: false)
        let isAnswerTaken = peers.budget.addAnswer(10, uid: 1)
        #expect(!isTaken && !isAnswerTaken && peers.takeCut() == [])
        let isThirdTaken = peers.budget.acquire(10, for: peers.account(3, uid: 3), isAlone: false)
        #expect(!isThirdTaken && peers.takeCut() == [1])
    }
}
