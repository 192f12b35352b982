import Glibc
import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests of contents that are written in parts before a message refers to them.
@Suite struct AttachmentWriteTests {
    private let clocks = FakeClocks()
    private let store: AttachmentStore
    private let large: [UInt8]

    init() throws {
        store = try AttachmentStore(clocks: clocks.clocks)
        var random = SplitMix(seed: 10)
        large = random.bytes(3 * EngineLimits.inlineFileBytesMax + 5)
    }

    private func write(_ bytes: [UInt8], digest: AttachmentDigest? = nil) throws -> Commit {
        let engine = store.store.engine
        let request = AttachmentWriteRequest(byteCount: UInt64(bytes.count), digest: digest)
        guard case .begun(let id) = try engine.fileWrite(.beginAttachment(request)) else {
            throw StoreError(.internal, "a write begins with its id")
        }
        let write = OpenWrite(engine: engine, id: id)
        for start in stride(from: 0, to: bytes.count, by: 50_001) {
            try write.write(Array(bytes[start...].prefix(50_001)), at: start)
        }
        return try write.finish()
    }

    private func fileCount() throws -> Int {
        try store.store.engine.waitForCleaning()
        let path = store.store.path + "/state/vault"
        return try StateDirectory(path: path).fileNames().reduce(0) { count, folder in
            count + (try StateDirectory(path: path + "/" + folder).fileNames().count)
        }
    }

    @Test func `a large content is written in parts, saved by its digest, read, and erased with its last message`()
        throws
    {
        let digest = try AttachmentStore.digest(large)
        let commit = try write(large, digest: digest)
        #expect(commit.ids == [digest.hexadecimal] && commit.revision == 0)
        try store.save("m1", [try AttachmentStore.known(large)])
        // A second write of the same bytes keeps the existing content and has the same result.
        #expect(try write(large).ids == commit.ids)
        #expect(try fileCount() == 1 && store.counts() == [1, 1, 1])
        let reader = store.store.engine.makeReader()
        let part = try reader.readAttachment(of: try EntityID("m1"), at: 0, from: 70_000, byteCount: 100_000)
        #expect(part.bytes == Array(large.dropFirst(70_000).prefix(100_000)))
        #expect(try expectClean(store.store.engine) == [])
        try store.store.reopen()
        try store.save("m2", [try AttachmentStore.known(large)])
        _ = try store.store.engine.commit(.deleteMessages([try EntityID("m1")]))
        #expect(try store.counts() == [1, 1, 1])
        _ = try store.store.engine.commit(.deleteMessages([try EntityID("m2")]))
        #expect(try store.counts() == [0, 0, 0])
        #expect(try fileCount() == 0)
        #expect(try expectClean(store.store.engine) == [])
    }

    @Test func `a content that was written again stays after the message that had it is deleted`() throws {
        for content in [large, [1, 2, 3]] {
            _ = try write(content)
            try store.save("m1", [try AttachmentStore.known(content)])
            _ = try write(content)
            _ = try store.store.engine.commit(.deleteMessages([try EntityID("m1")]))
            #expect(try store.counts() == [1, 0, 1])
            #expect(try expectClean(store.store.engine) == [])
            try store.save("m2", [try AttachmentStore.known(content)])
            // No message is saved after this second write. So after an hour only the message "m2" keeps the content.
            _ = try write(content)
            clocks.pass(seconds: 3_601)
            _ = try store.store.engine.commit(.removeDueMessages)
            #expect(try store.counts() == [1, 1, 1])
            _ = try store.store.engine.commit(.deleteMessages([try EntityID("m2")]))
            #expect(try store.counts() == [0, 0, 0])
            #expect(try expectClean(store.store.engine) == [])
        }
    }

    @Test func `a check finds a large content that does not match its digest`() throws {
        _ = try write(large)
        try store.save("m1", [try AttachmentStore.known(large)])
        try store.store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute("UPDATE attachment_contents SET digest = zeroblob(32)"))
        }
        let findings = try expectClean(store.store.engine)
        #expect(findings.count == 1 && findings.first?.contains("does not match its digest") == true, "\(findings)")
    }

    @Test func `a content with another digest than announced is not kept`() throws {
        #expect(reason { _ = try write(large, digest: try AttachmentStore.digest([1])) } == .invalidArgument)
        #expect(try store.counts() == [0, 0, 0] && fileCount() == 0)
    }

    @Test func `a content without a message or draft is deleted after an hour, or by a clear`() throws {
        _ = try write(large)
        _ = try write([1, 2, 3])
        _ = try write([])
        #expect(try store.counts() == [3, 0, 3])
        #expect(try expectClean(store.store.engine) == [])
        try store.save("m1", [try AttachmentStore.known([1, 2, 3])])
        clocks.pass(seconds: 3_599)
        _ = try store.store.engine.commit(.removeDueMessages)
        #expect(try store.counts() == [3, 1, 3])
        try store.store.reopen()
        clocks.pass(seconds: 2)
        _ = try store.store.engine.commit(.removeDueMessages)
        #expect(try store.counts() == [1, 1, 1] && fileCount() == 0)
        #expect(try store.text("m1").utf8.elementsEqual([1, 2, 3]))
        _ = try write(large)
        _ = try store.store.engine.commit(.clearAllData)
        _ = try write(large)
        _ = try store.store.engine.commit(.clearAllData)
        #expect(try store.counts() == [0, 0, 0] && fileCount() == 0)
    }

    @Test func `a conversation's attachments are listed newest first, by type, page by page`() throws {
        for number in 1...5 {
            let type = number % 2 == 0 ? "image/png" : "text/plain"
            let attachments = try (0..<2).map { position in
                try AttachmentStore.attachment("\(number) \(position)", type: type, thumbnail: [UInt8(number)])
            }
            try store.save("m\(number)", attachments, at: Int64(number))
        }
        _ = try store.store.engine.commit(.deleteMessages([try EntityID("m4")]))
        let reader = store.store.engine.makeReader()
        var query = AttachmentQuery(of: .conversation(store.alice), withThumbnails: true, limit: 3)
        var listed: [String] = []
        repeat {
            let page = try reader.attachments(query)
            listed += page.attachments.map { "\($0.messageID.text) \($0.position) \($0.thumbnail)" }
            query.cursor = try page.nextCursor.map { try AttachmentCursor($0.text) }
        } while query.cursor != nil
        #expect(
            listed == [
                "m5 1 [5]", "m5 0 [5]", "m3 1 [3]", "m3 0 [3]", "m2 1 [2]", "m2 0 [2]", "m1 1 [1]", "m1 0 [1]",
            ])
        let images = try reader.attachments(
            AttachmentQuery(of: .conversation(store.alice), mimeTypePrefix: "Image/"))
        #expect(images.attachments.map(\.messageID.text) == ["m2", "m2"] && images.nextCursor == nil)
        #expect(images.attachments.allSatisfy { $0.thumbnail.isEmpty && $0.attachment.hasThumbnail })
        let own = try reader.attachments(AttachmentQuery(of: .message(try EntityID("m3"))))
        #expect(own.attachments.map(\.position) == [0, 1])
        #expect(
            reason { _ = try reader.attachments(AttachmentQuery(of: .message(try EntityID("m4")))) }
                == .messageNotFound)
    }

    @Test func `a check names a damaged content by the revision of its attachment, and the message can be read`()
        throws
    {
        _ = try write(large)
        try store.save("m1", [try AttachmentStore.known(large), try AttachmentStore.attachment("small")])
        let path = store.store.path + "/state/vault"
        for folder in try StateDirectory(path: path).fileNames() {
            for file in try StateDirectory(path: "\(path)/\(folder)").fileNames() {
                let descriptor = open("\(path)/\(folder)/\(file)", O_RDWR)
                var byte: UInt8 = 0
                #expect(pread(descriptor, &byte, 1, 70_000) == 1)
                byte ^= 1
                #expect(pwrite(descriptor, &byte, 1, 70_000) == 1)
                close(descriptor)
            }
        }
        #expect(reason { _ = try store.text("m1") } == .fileDamaged)
        #expect(try store.text("m1", 1) == "small" && store.attachments("m1")?.count == 2)
        let findings = try expectClean(store.store.engine)
        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix("the attachment saved at revision 2: ") == true, "\(findings)")
    }
}
