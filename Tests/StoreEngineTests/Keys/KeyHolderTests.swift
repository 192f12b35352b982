import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct KeyHolderTests {
    /// Checks that a change of the keyring, which derives keys for seconds, does not block an event loop that opens a
    /// reader.
    @Test func `the database key can be used while the keyring is being changed`() throws {
        let store = try TemporaryStore()
        let keys = store.engine.keys
        let lent = ConditionLock<Bool?>(nil)
        try keys.withKeyring { _ throws(StoreError) in
            let thread = try StoreThread(name: "test-reader") {
                try? keys.withDatabaseKey { key throws(StoreError) in
                    let isThere = key != nil
                    lent.broadcast { $0 = isThere }
                }
            }
            #expect(lent.wait(timeoutMilliseconds: 5_000) { $0 } == true)
            thread.join()
        }
    }

    @Test func `a locked store gives out neither key`() throws {
        let store = try TemporaryStore()
        try store.engine.lock()
        #expect(try store.engine.keys.withDatabaseKey { $0 == nil })
        let thrown = #expect(throws: StoreError.self) { try store.engine.keys.withKeyring { _ in } }
        #expect(thrown?.reason == .storeLocked)
    }
}
