import Glibc
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests changes to a vault file by a person with access to the disk. The damage is reported, and all other content can
/// be read.
@Suite struct VaultDamageTests {
    private static let chunk = FileStore.chunkBytes
    private static let headerBytes = 64
    private let files = FileStore()
    private let content: [UInt8]
    private let path: String
    private let whole: [UInt8]
    private var slotBytes: Int { (whole.count - Self.headerBytes) / 4 }

    init() throws {
        var random = SplitMix(seed: 1)
        content = random.bytes(4 * Self.chunk)
        try files.write(random.bytes(2 * Self.chunk), to: "other")
        try files.write(content, to: "file")
        let other = try FileStore.path("other")
        path = try #require(try files.vaultFiles().max { try TestFile.read($0).count < TestFile.read($1).count })
        whole = try TestFile.read(path)
        try #require(try files.engine.makeReader().fileItem(at: other) != nil)
    }

    /// Replaces the bytes of the vault file in place, so that open descriptors see the change.
    private func damage(_ bytes: [UInt8]) throws {
        let file = try BackupFile(path, .update)
        try file.write(bytes, at: 0)
        try file.truncate(to: UInt64(bytes.count))
    }

    private func expectDamaged(_ chunk: Int, _ comment: Comment? = nil) throws {
        let reader = try files.engine.makeReader()
        let file = try FileStore.path("file")
        for number in 0..<4 {
            let offset = UInt64(number * Self.chunk)
            if number == chunk {
                #expect(
                    reason { _ = try reader.readFile(at: file, from: offset, byteCount: 1) } == .fileDamaged, comment)
            } else if chunk >= 0 {
                let part = try reader.readFile(at: file, from: offset, byteCount: UInt64(Self.chunk))
                #expect(part.bytes == Array(content[Int(offset)...].prefix(Self.chunk)), comment)
            }
        }
        #expect(try files.bytes("other").count == 2 * Self.chunk)
        let findings = try files.engine.check { _ in }.findings
        let revision = try #require(try files.engine.makeReader().fileItem(at: file)?.revision)
        #expect(
            findings.count == 1 && findings.allSatisfy { $0.hasPrefix("the file created at revision \(revision)") },
            "\(findings)")
        // The rest of the store can be used as before.
        #expect(try files.engine.state == .open)
        try files.save("new", "text \(chunk)")
    }

    @Test func `a read that continues in a changed file reports the change before any damage`() throws {
        let path = try FileStore.path("file")
        let reader = try files.engine.makeReader()
        let before = try reader.readFile(at: path, byteCount: 1).item.revision
        try files.write([1], to: "file", .offset(0))
        let after = try reader.readFile(at: path, byteCount: 1).item.revision
        try damage([])
        let read = { (revision: UInt64?) in
            reason {
                // The reader does not have this chunk in memory from an earlier read.
                let offset = UInt64(3 * Self.chunk)
                _ = try reader.readFile(at: path, from: offset, byteCount: 10, expecting: revision) {
                    (count, fill) throws(StoreError) in
                    var bytes = [UInt8](repeating: 0, count: count)
                    _ = try bytes.withUnsafeMutableBufferPointer { memory throws(StoreError) in
                        try fill(UnsafeMutableRawBufferPointer(memory))
                    }
                }
            }
        }
        #expect(read(before) == .fileChanged)
        #expect(read(after) == .fileDamaged && read(nil) == .fileDamaged)
    }

    @Test func `a flipped bit in the header or in any chunk is found, and the chunk is named`() throws {
        for place in [0, 8, 9, 12, 16, 32, Self.headerBytes - 1] {
            var bytes = whole
            bytes[place] ^= 1
            try damage(bytes)
            #expect(reason { _ = try files.bytes("file") } == .fileDamaged, "\(place)")
            try files.store.get().reopen()
            try expectDamaged(-1, "\(place)")
        }
        for slot in 0..<4 {
            for place in [0, 11, 12, slotBytes / 2, slotBytes - 17, slotBytes - 16, slotBytes - 1] {
                var bytes = whole
                bytes[Self.headerBytes + slot * slotBytes + place] ^= 0x80
                try damage(bytes)
                #expect(reason { _ = try files.bytes("file") } == .fileDamaged, "\(slot) \(place)")
            }
            try expectDamaged(slot, "\(slot)")
        }
        try damage(whole)
        #expect(try files.bytes("file") == content)
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `chunks that were cut off, swapped or taken from another file or write are found`() throws {
        let slots = (0..<4).map { Array(whole[(Self.headerBytes + $0 * slotBytes)...].prefix(slotBytes)) }
        let header = Array(whole.prefix(Self.headerBytes))
        try damage(header + slots[0] + slots[2] + slots[1] + slots[3])
        #expect(reason { _ = try files.bytes("file") } == .fileDamaged)
        try damage(Array(whole.dropLast()))
        try expectDamaged(3)
        try damage(header)
        #expect(reason { _ = try files.bytes("file") } == .fileDamaged)
        let other = try TestFile.read(try #require(try files.vaultFiles().first { $0 != path }))
        try damage(header + slots[0] + other[Self.headerBytes...].prefix(slotBytes) + slots[2] + slots[3])
        try expectDamaged(1)
        // An older version of the whole file is put back.
        try damage(whole)
        try files.write([1, 2, 3], to: "file", .offset(UInt64(Self.chunk)))
        try files.engine.waitForCleaning()
        try damage(whole)
        #expect(reason { _ = try files.bytes("file") } == .fileDamaged)
        #expect(unlink(path) == 0)
        try files.store.get().reopen()
        #expect(reason { _ = try files.bytes("file") } == .fileDamaged)
        try files.delete("file")
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `a check names a file with a chunk of unknown position, and checks the other files`() throws {
        let revision = try #require(try files.item("file")?.revision)
        try files.engine.tamper(
            """
            UPDATE content_chunks SET chunk_count = chunk_count - 1 WHERE content =
                (SELECT content FROM files WHERE name = 'file')
            """)
        var bytes = try TestFile.read(try #require(try files.vaultFiles().first { $0 != path }))
        bytes[bytes.count / 2] ^= 1
        try TestFile.write(bytes, to: try #require(try files.vaultFiles().first { $0 != path }))
        let findings = try expectClean(files.engine).filter { $0.hasPrefix("the file created at revision") }
        #expect(findings.count == 2, "\(findings)")
        #expect(
            findings.contains { $0.hasPrefix("the file created at revision \(revision)") && $0.contains("position") })
    }
}
