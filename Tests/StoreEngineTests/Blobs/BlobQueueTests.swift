import Testing

@testable import StoreEngine

@Suite struct BlobQueueTests {
    @Test func `users take turns, requests of a user keep their order, and the daemon's own work comes first`() {
        var queue = SessionQueue<BlobSessions>()
        for number: UInt64 in [10, 11, 12] {
            let isTaken = queue.append(work(number), userID: 1)
            #expect(isTaken)
        }
        _ = queue.append(work(20), userID: 2)
        queue.prepend(work(1))
        #expect(queue.sessions == Set([10, 11, 12, 20].map { BlobSessionID(number: $0) }))
        var order: [UInt64] = []
        while let next = queue.next() {
            order.append(next.session?.number ?? 0)
        }
        #expect(order == [1, 10, 20, 11, 12])
        #expect(queue.sessions.isEmpty)
    }

    @Test func `one user can fill half of the queue, and the next one half of the rest`() {
        var queue = SessionQueue<BlobSessions>()
        var taken: [Int] = []
        for user: UInt32 in 1...3 {
            var count = 0
            while queue.append(work(1), userID: user) {
                count += 1
            }
            taken.append(count)
        }
        #expect(taken == [BlobLimits.waitingRequestsMax / 2, BlobLimits.waitingRequestsMax / 4, 32])
        _ = queue.next()
        let isTaken = queue.append(work(1), userID: 4)
        #expect(isTaken)
    }

    private func work(_ number: UInt64) -> SessionQueue<BlobSessions>.Work {
        SessionQueue<BlobSessions>.Work(session: BlobSessionID(number: number)) { _ in }
    }
}
