import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests of contents that have a source, and are evicted to make room for others.
@Suite struct AttachmentCacheTests {
    private let clocks = FakeClocks()
    private let store: AttachmentStore

    init() throws {
        store = try AttachmentStore(clocks: clocks.clocks, cacheBytesMax: 10)
    }

    /// Saves a message more than an hour after the previous one, because the store records the last use of a content
    /// only to the hour.
    private func save(_ id: String, _ text: String, source: String? = "source") throws {
        clocks.pass(seconds: 4_000)
        try store.save(id, [try AttachmentStore.attachment(text, source: source)])
        try store.store.engine.writer.waitForRemovals()
    }

    private func stored() throws -> [String] {
        try (1...5).map { "m\($0)" }.filter { try store.attachments($0)?.first?.isStored == true }
    }

    private func usage() throws -> AttachmentUsage {
        try store.store.engine.makeReader().attachmentUsage()
    }

    /// Checks a content that exceeds the limit. It would never fit, so the store evicts it at once, and evicts no other
    /// content for it.
    @Test func `a content larger than the limit is evicted alone`() throws {
        try save("m1", "111")
        try save("m2", "222")
        try save("m3", "33333333333")
        #expect(try stored() == ["m1", "m2"])
        #expect(try usage().evictableBytes == 6)
        // Two more contents are larger than the limit. The second one has no source, so it cannot be evicted and stays.
        try save("m4", "4444444444444")
        try save("m5", "55555555555", source: nil)
        #expect(try stored() == ["m1", "m2", "m5"])
        #expect(try expectClean(store.store.engine) == [])
    }

    @Test func `a content that was only saved is evicted before one that was read in the same hour`() throws {
        for id in ["m1", "m2", "m3"] {
            clocks.pass(seconds: 60)
            try store.save(id, [try AttachmentStore.attachment(id + id.suffix(1), source: "source")])
        }
        clocks.pass(seconds: 60)
        #expect(try store.text("m1") == "m11")
        // With this write, the store also records the time of the read, but only to the hour.
        try store.save("m5", [], text: "no attachment")
        try store.store.engine.writer.waitForRemovals()
        clocks.pass(seconds: 60)
        try store.save("m4", [try AttachmentStore.attachment("m44", source: "source")])
        try store.store.engine.writer.waitForRemovals()
        #expect(try stored() == ["m1", "m3", "m4"])
    }

    @Test func `contents with a source are evicted by last use, and stored again for all messages`()
        throws
    {
        try save("m1", "1111")
        try save("m2", "2222", source: nil)
        try save("m3", "3333")
        #expect(try stored() == ["m1", "m2", "m3"])
        #expect(try usage().evictableBytes == 8)
        clocks.pass(seconds: 4_000)
        #expect(try store.text("m1") == "1111")
        try save("m4", "4444")
        #expect(try stored() == ["m1", "m2", "m4"], "m3 was used longest ago")
        let attachment = try #require(try store.attachments("m3")?.first)
        #expect(!attachment.isStored && attachment.byteCount == 4 && attachment.source == "source")
        #expect(reason { _ = try store.text("m3") } == .attachmentEvicted)
        #expect(
            try usage()
                == AttachmentUsage(
                    contentCount: 4, byteCount: 16, storedCount: 3, storedBytes: 12, evictableBytes: 8,
                    evictableBytesMax: 10))
        #expect(try expectClean(store.store.engine) == [])
        // A message may refer to an evicted content by its digest only if the message gives a source.
        #expect(
            reason { try store.save("m5", [try AttachmentStore.known(Array("3333".utf8))]) }
                == .attachmentContentNotFound)
        try store.save("m5", [try AttachmentStore.known(Array("3333".utf8), source: "elsewhere")])
        #expect(try stored() == ["m1", "m2", "m4"])
        // Saving the message again stores the content again and is no change of the message. Another content is evicted
        // to make room.
        clocks.pass(seconds: 4_000)
        let revision = try store.store.engine.statistics().revision
        try store.save("m3", [try AttachmentStore.attachment("3333", source: "source")])
        try store.store.engine.writer.waitForRemovals()
        #expect(try store.store.engine.statistics().revision == revision)
        #expect(try stored() == ["m2", "m3", "m4", "m5"] && store.text("m5") == "3333")
        #expect(try expectClean(store.store.engine) == [])
        try store.store.reopen()
        #expect(try stored() == ["m2", "m3", "m4", "m5"])
    }

    @Test func `deleting the last message that keeps a content makes the content evictable`() throws {
        try save("m1", "aaaaaaaa")
        try save("m2", "bbbbbbbb", source: nil)
        clocks.pass(seconds: 4_000)
        try store.save("m3", [try AttachmentStore.known(Array("bbbbbbbb".utf8), source: "source")])
        #expect(try stored() == ["m1", "m2", "m3"] && usage().evictableBytes == 8)
        try store.store.engine.commitAll(.deleteMessages([try EntityID("m2")]))
        #expect(try stored() == ["m3"] && usage().evictableBytes == 8)
        #expect(try expectClean(store.store.engine) == [])
    }

    @Test func `the count of evictable bytes follows every change, and a check finds a wrong count`() throws {
        let unbound = try AttachmentStore(clocks: clocks.clocks)
        let evictable = { try unbound.store.engine.makeReader().attachmentUsage().evictableBytes }
        try unbound.save("m1", [try AttachmentStore.attachment("1111", source: "s")])
        try unbound.save(
            "m2", [try AttachmentStore.attachment("1111", source: "s"), try AttachmentStore.attachment("22")])
        #expect(try evictable() == 4)
        try unbound.save("m2", [try AttachmentStore.attachment("22", source: "s")])
        try unbound.store.engine.writer.waitForRemovals()
        #expect(try evictable() == 6 && expectClean(unbound.store.engine) == [])
        try unbound.store.engine.commitAll(.deleteMessages([try EntityID("m1")]))
        #expect(try evictable() == 2 && expectClean(unbound.store.engine) == [])
        try unbound.store.engine.commitAll(.clearAllData)
        #expect(try evictable() == 0 && expectClean(unbound.store.engine) == [])
        try unbound.store.engine.tamper("UPDATE store SET evictable_bytes = 3")
        #expect(try expectClean(unbound.store.engine).count == 1)
    }

    @Test func `a content that one message needs without a source is not evicted`() throws {
        try save("m1", "aaaaaaaa")
        try save("m2", "aaaaaaaa", source: nil)
        try save("m3", "bbbbbbbb")
        #expect(try stored() == ["m1", "m2", "m3"])
        try save("m4", "cccccccc")
        #expect(try stored() == ["m1", "m2", "m4"])
        try store.store.engine.commitAll(.deleteMessages([try EntityID("m3")]))
        #expect(try store.counts()[0] == 2)
    }
}

extension StoreEngine {
    fileprivate func commitAll(_ mutation: Mutation) throws {
        _ = try commit(mutation)
        try writer.waitForRemovals()
    }
}
