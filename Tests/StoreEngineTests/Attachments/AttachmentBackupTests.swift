import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct AttachmentBackupTests {
    @Test func `a restore of a backup brings back small and large attachments`() throws {
        let store = try AttachmentStore()
        let engine = store.store.engine
        var random = SplitMix(seed: 4)
        let large = random.bytes(2 * EngineLimits.inlineFileBytesMax + 9)
        guard case .begun(let id) = try engine.fileWrite(.beginAttachment(AttachmentWriteRequest())) else {
            throw StoreError(.internal, "a write begins with its id")
        }
        let write = OpenWrite(engine: engine, id: id)
        try write.write(large, at: 0)
        try write.finish()
        try store.save("m1", [try AttachmentStore.known(large), try AttachmentStore.attachment("small")])
        let backup = try engine.backUp().name
        #expect(try engine.verify(backup).findings == [])
        _ = try engine.commit(.clearAllData)
        try engine.waitForCleaning()
        _ = try engine.restore(backup, with: TemporaryStore.keyFile())
        let part = try engine.makeReader().readAttachment(of: try EntityID("m1"), at: 0, from: 0, byteCount: nil)
        #expect(part.bytes == large)
        #expect(try store.text("m1", 1) == "small" && store.counts() == [2, 2, 2])
        #expect(try expectClean(engine) == [])
        // A content that is saved now must not get the number of a restored content.
        try store.save("m2", [try AttachmentStore.attachment("other")])
        #expect(try expectClean(engine) == [])
    }
}
