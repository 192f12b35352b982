import Testing

@testable import StoreClient

@Suite struct CallQueueTests {
    private func drain(_ queue: inout CallQueue) -> [UInt64] {
        var ids: [UInt64] = []
        while let id = queue.popFirst() {
            ids.append(id)
        }
        return ids
    }

    @Test func `ids are returned in the order in which they were added`() {
        var queue = CallQueue()
        for id in UInt64(0)..<5_000 {
            queue.append(id)
            if id % 3 == 0 {
                #expect(queue.popFirst() == id / 3)
            }
        }
        #expect(drain(&queue) == Array(1_667..<5_000))
        #expect(queue.popFirst() == nil)
    }

    @Test func `earlier ids are put before the waiting ones, and not before those already removed`() {
        var queue = CallQueue()
        for id in UInt64(10)..<15 {
            queue.append(id)
        }
        _ = queue.popFirst()
        queue.prepend([1, 2])
        #expect(drain(&queue) == [1, 2, 11, 12, 13, 14])
    }

    @Test func `ids of ended calls are dropped once they are most of the queue, and the others keep their order`() {
        var queue = CallQueue()
        for id in UInt64(0)..<1_000 {
            queue.append(id)
        }
        _ = queue.popFirst()
        queue.dropEnded(liveCount: 600) { $0 % 100 == 0 }
        #expect(queue.count == 999)
        queue.dropEnded(liveCount: 9) { $0 % 100 == 0 }
        #expect(queue.count == 9)
        #expect(drain(&queue) == (1...9).map { $0 * 100 })
    }
}
