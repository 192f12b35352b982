import StoreEngine
import Testing

@testable import StoreServer

@Suite struct ConnectionRegistryTests {
    @Test func `each user gets half of the free connections, and root has two in reserve`() throws {
        let registry = ConnectionRegistry(connectionsMax: 64)
        var counts: [Int] = []
        for uid in 1...8 as ClosedRange<UInt32> {
            var count = 0
            while (try? registry.add(uid: uid, hasReserve: false)) != nil {
                count += 1
            }
            counts.append(count)
        }
        #expect(counts.prefix(3) == [31, 16, 8])
        #expect(registry.total == 62)
        try registry.add(uid: 0, hasReserve: true)
        try registry.add(uid: 0, hasReserve: true)
        #expect(throws: StoreError.self) { try registry.add(uid: 0, hasReserve: true) }
        registry.remove(uid: 1)
        try registry.add(uid: 0, hasReserve: true)
    }
}
