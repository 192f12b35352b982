import StoreBasics
import Synchronization
import Testing

@testable import StoreEngine

/// Checks that reads which share a snapshot see all writes acknowledged before them, and block no other work
/// afterwards.
@Suite struct ReadBurstTests {
    private let store: TemporaryStore
    private let reader: StoreReader

    init() throws {
        store = try TemporaryStore()
        reader = store.engine.makeReader()
    }

    @Test func `each read of a burst sees the writes that were acknowledged before it`() throws {
        reader.beginBurst()
        for number in 0..<50 {
            try store.engine.saveNumbered(number..<number + 1)
            #expect(try reader.message(EntityID("m\(number)")) != nil)
            #expect(try reader.message(EntityID("m\(number)")) != nil)
            #expect(try reader.changes(after: 0, limit: 1).revision == store.engine.statistics().revision)
        }
        reader.endBurst()
        #expect(try reader.message(EntityID("m49")) != nil)
    }

    @Test func `a burst continues in the store that is opened after a lock or a rotation`() throws {
        try store.engine.saveNumbered(0..<5)
        reader.beginBurst()
        #expect(try reader.message(EntityID("m1")) != nil)
        try store.engine.lock()
        #expect(throws: StoreError.self) { try reader.message(EntityID("m1")) }
        _ = try store.engine.unlock(secret: TemporaryStore.keyFile())
        try store.engine.saveNumbered(5..<6)
        #expect(try reader.message(EntityID("m5")) != nil)
        _ = try store.engine.rotateMasterKey { _ in }
        try store.engine.saveNumbered(6..<7)
        #expect(try reader.message(EntityID("m6")) != nil)
        reader.endBurst()
        #expect(try reader.message(EntityID("m6")) != nil)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `the WAL is emptied once a burst has ended`() throws {
        try store.engine.saveNumbered(0..<5)
        reader.beginBurst()
        #expect(try reader.message(EntityID("m1")) != nil)
        let isEmptyMeanwhile = try store.engine.writer.perform { context throws(StoreError) in try context.emptyLog() }
        reader.endBurst()
        let isEmpty = try store.engine.writer.perform { context throws(StoreError) in try context.emptyLog() }
        #expect(!isEmptyMeanwhile && isEmpty)
        #expect(try reader.message(EntityID("m1")) != nil)
    }

    @Test func `a burst may be begun twice, and ended without a beginning`() throws {
        reader.endBurst()
        reader.beginBurst()
        reader.beginBurst()
        try store.engine.saveNumbered(0..<1)
        #expect(try reader.message(EntityID("m0")) != nil)
        reader.endBurst()
        reader.endBurst()
    }
}
