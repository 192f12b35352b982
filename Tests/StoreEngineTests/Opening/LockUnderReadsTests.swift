import StoreBasics
import Synchronization
import Testing

@testable import StoreEngine

/// Tests the locking of a store while another thread reads. Locking must also close a connection that is just being
/// opened.
@Suite struct LockUnderReadsTests {
    @Test func `no read succeeds after a lock`() throws {
        let store = try TemporaryStore()
        try store.engine.write(.getOrCreateConversation(SessionID("05one"), id: nil, displayName: nil))
        let reader = store.engine.makeReader()
        for _ in 0..<30 {
            let isStopping = OneShotFlag()
            let thread = try StoreThread(name: "test-reader") {
                while !isStopping.isSet {
                    _ = try? reader.conversation(.session(SessionID("05one")), includeAvatar: false)
                }
            }
            try store.engine.lock()
            let read = #expect(throws: StoreError.self) {
                try reader.conversation(.session(SessionID("05one")), includeAvatar: false)
            }
            isStopping.set()
            thread.join()
            #expect(read?.reason == .storeLocked)
            _ = try store.engine.unlock(secret: TemporaryStore.keyFile())
        }
    }
}

private final class OneShotFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() {
        flag.store(true, ordering: .releasing)
    }
}
