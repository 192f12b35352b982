import FoundationEssentials
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests files that are written in parts and read in parts, both in the database and in the vault.
@Suite struct FileWriteTests {
    private let files = FileStore()
    private static let chunk = FileStore.chunkBytes

    private func bytes(_ count: Int, _ seed: UInt64 = 1) -> [UInt8] {
        var random = SplitMix(seed: seed)
        return random.bytes(count)
    }

    @Test(arguments: [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 7])
    func `a file that was written in parts is read whole and in parts`(count: Int) throws {
        let content = bytes(count)
        let commit = try files.write(content, to: "file")
        #expect(commit.createdCount == 2 && commit.ids.isEmpty)
        #expect(try files.item("file")?.kind == .file(byteCount: UInt64(count)))
        #expect(try files.bytes("file") == content)
        #expect(try files.vaultFiles().count == (count > Self.chunk ? 1 : 0))
        for (offset, length) in [(0, 1), (Self.chunk - 1, 2), (Self.chunk, Self.chunk), (count - 1, 5), (count, 5)] {
            let part = try files.engine.makeReader().readFile(
                at: FileStore.path("file"), from: UInt64(max(0, offset)), byteCount: UInt64(length))
            #expect(part.bytes == Array(content.dropFirst(max(0, offset)).prefix(length)))
        }
        try files.store.get().reopen()
        #expect(try files.bytes("file") == content)
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `a reader that has opened a chunk reads later writes to it`() throws {
        var content = bytes(3 * Self.chunk)
        try files.write(content, to: "file")
        let (reader, path) = (try files.engine.makeReader(), try FileStore.path("file"))
        let part = { (offset: Int) in try reader.readFile(at: path, from: UInt64(offset), byteCount: 100).bytes }
        for round in 0..<4 {
            for offset in [Self.chunk + 5, Self.chunk + 500, 7, Self.chunk + 900] {
                #expect(try part(offset) == Array(content[offset..<(offset + 100)]), "round \(round)")
            }
            let write = try files.begin("file", .offset(UInt64(Self.chunk + 400)))
            let written = bytes(200, UInt64(round) + 50)
            try write.write(written, at: 0)
            try write.finish()
            content.replaceSubrange((Self.chunk + 400)..<(Self.chunk + 600), with: written)
        }
        // Another file of the same size replaces the file.
        content = bytes(3 * Self.chunk, 99)
        try files.write(content, to: "file")
        #expect(try part(Self.chunk + 5) == Array(content[(Self.chunk + 5)..<(Self.chunk + 105)]))
    }

    @Test func `a read that may not wait returns the right bytes or none`() throws {
        let content = bytes(3 * Self.chunk)
        try files.write(content, to: "file")
        let (reader, path) = (try files.engine.makeReader(), try FileStore.path("file"))
        let read = { (offset: Int) in
            try reader.readFile(at: path, from: UInt64(offset), byteCount: 100, mayWait: false)?.bytes
        }
        // This read opens the file, which then stays open.
        _ = try reader.readFile(at: path, from: UInt64(Self.chunk), byteCount: 1)
        #expect(try read(Self.chunk + 5) == Array(content[(Self.chunk + 5)..<(Self.chunk + 105)]))
        for offset in [0, 2 * Self.chunk, 2 * Self.chunk - 50] {
            let bytes = try read(offset)
            #expect(bytes == nil || bytes == Array(content[offset..<(offset + 100)]))
        }
    }

    @Test func `a reader that may not wait opens no file, and uses the files that others have opened`() throws {
        let content = bytes(3 * Self.chunk)
        try files.write(content, to: "file")
        let (reader, other) = (try files.engine.makeReader(), try files.engine.makeReader())
        let path = try FileStore.path("file")
        let read = { (reader: StoreReader, offset: Int) in
            try reader.readFile(at: path, from: UInt64(offset), byteCount: 100, mayWait: false)?.bytes
        }
        for _ in 0..<2 {
            #expect(try read(reader, 0) == nil && openFiles() == 0)
        }
        _ = try other.readFile(at: path, from: 0, byteCount: 100)
        #expect(try openFiles() == 1)
        // The file system may report that a part is in the page cache. If one reader then gets the part without
        // waiting, the other reader must get it too.
        for offset in [Self.chunk, 2 * Self.chunk] where try read(other, offset) != nil {
            #expect(try read(reader, offset) == Array(content[offset..<(offset + 100)]))
        }
        try files.engine.lock()
        #expect(try openFiles() == 0)
        _ = try files.engine.unlock(secret: TemporaryStore.keyFile())
        #expect(try read(reader, 0) == nil && read(other, 0) == nil)
    }

    @Test func `some files that were read last stay open until the store is closed`() throws {
        let names = (0..<40).map { "file \($0)" }
        for name in names {
            try files.write(bytes(Self.chunk + 1), to: name)
        }
        let reader = try files.engine.makeReader()
        for name in names + ["file 39", "file 0"] {
            #expect(try reader.readFile(at: FileStore.path(name), byteCount: 10).bytes == bytes(10))
        }
        let count = try openFiles()
        #expect((2..<40).contains(count))
        try files.store.get().reopen()
        #expect(try openFiles() == 0)
    }

    /// Returns the number of vault files that this process has open.
    private func openFiles() throws -> Int {
        let vault = try files.store.get().path + "/state/vault/"
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor)
            return file.map { $0.hasPrefix(vault) && !$0.hasSuffix("/") } ?? false
        }
    }

    @Test func `an answer has at most one megabyte, and another read continues after it`() throws {
        let content = bytes(EngineLimits.filePieceBytesMax + 100)
        try files.write(content, to: "file")
        let part = try files.engine.makeReader().readFile(at: FileStore.path("file"))
        #expect(part.bytes.count <= EngineLimits.filePieceBytesMax && content.starts(with: part.bytes))
        #expect(try files.bytes("file") == content)
    }

    @Test func `a file is unchanged until a write is finished, and a cancelled write leaves nothing`() throws {
        try files.save("file", "before")
        let write = try files.begin("file")
        try write.write(bytes(3 * Self.chunk), at: 0)
        #expect(try files.text("file") == "before")
        let revision = try files.revision
        try write.end()
        try write.end()
        #expect(reason { try write.write([1], at: 0) } == .fileWriteNotFound)
        #expect(reason { try write.finish() } == .fileWriteNotFound)
        #expect(try files.text("file") == "before" && files.revision == revision)
        #expect(try files.vaultFiles() == [])
    }

    @Test func `bytes are added at the end of the content, wherever its end is in a chunk`() throws {
        for count in [0, 10, Self.chunk - 5, Self.chunk, 2 * Self.chunk, 2 * Self.chunk + 9] {
            var content = bytes(count, 3)
            try files.write(content, to: "file")
            for added in [1, Self.chunk, 5, 0, 2 * Self.chunk + 1] {
                let more = bytes(added, UInt64(added) + 9)
                try files.write(more, to: "file", .end)
                content += more
            }
            #expect(try files.bytes("file") == content, "\(count)")
        }
        #expect(try files.write([1, 2], to: "new", .end).createdCount == 1)
        #expect(try files.bytes("new") == [1, 2])
        try files.engine.waitForCleaning()
        #expect(try files.vaultFiles().count == 1)
        #expect(try expectClean(files.engine) == [])
    }

    @Test(arguments: 0..<UInt64(TestTier.count(2, long: 6)))
    func `any writes to a file leave the same bytes as in an array`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var content = bytes(5 * Self.chunk + 100, seed)
        try files.write(content, to: "file", byteCount: seed % 2 == 0 ? content.count : nil)
        for step in 0..<20 {
            let start = Int(random.next() % UInt64(content.count + 1))
            let part = random.bytes(Int(random.next() % UInt64(step % 3 == 0 ? 3 * Self.chunk : 300)))
            if step == 10 {
                try files.copy("file", "copy")
            }
            try files.write(part, to: "file", .offset(UInt64(start)), byteCount: step % 2 == 0 ? part.count : nil)
            content.replaceSubrange(start..<min(content.count, start + part.count), with: part)
            if step % 4 == 0 {
                try files.engine.waitForCleaning()
            }
            try #require(try files.bytes("file") == content, "\(step)")
        }
        try files.delete("copy")
        try files.engine.waitForCleaning()
        #expect(try files.vaultFiles().count == 1 && files.rowCount("content_freed_slots") == 0)
        #expect(try expectClean(files.engine) == [])
        try files.store.get().reopen()
        #expect(try files.bytes("file") == content)
    }

    @Test func `a part that is written again gets new slots, and the old slots are overwritten and used again`()
        throws
    {
        try files.write(bytes(8 * Self.chunk), to: "file")
        let path = try #require(try files.vaultFiles().first)
        let sealed = try TestFile.read(path)
        try files.write(bytes(2 * Self.chunk, 2), to: "file", .offset(UInt64(2 * Self.chunk)))
        try files.engine.waitForCleaning()
        let slotBytes = (sealed.count - 64) / 8
        let after = try TestFile.read(path)
        #expect(after[(64 + 2 * slotBytes)..<(64 + 4 * slotBytes)].allSatisfy { $0 == 0 })
        #expect(after.prefix(64 + 2 * slotBytes) == sealed.prefix(64 + 2 * slotBytes))
        for _ in 0..<10 {
            let part = bytes(2 * Self.chunk, 5)
            try files.write(part, to: "file", .offset(UInt64(4 * Self.chunk)), byteCount: part.count)
            try files.engine.waitForCleaning()
        }
        #expect(try TestFile.read(path).count <= after.count + 2 * slotBytes)
    }

    @Test func `a write fails if its file was changed after the write began`() throws {
        try files.write(bytes(3 * Self.chunk), to: "file")
        let changes: [() throws -> Void] = [
            { try files.write([1], to: "file", .offset(0)) }, { try files.save("file", "other") },
            { try files.delete("file") },
        ]
        for change in changes {
            let writes = try [files.begin("file", .end), files.begin("file", .offset(1))]
            try writes.forEach { try $0.write(bytes(100), at: 0) }
            try change()
            for write in writes {
                #expect(reason { try write.finish() } == .fileChanged)
                #expect(reason { try write.finish() } == .fileWriteNotFound)
            }
        }
        let first = try files.begin("file", .end)
        try files.save("file", "made meanwhile")
        try first.write([1], at: 0)
        #expect(reason { try first.finish() } == .fileChanged)
        #expect(try files.text("file") == "made meanwhile")
        try files.engine.waitForCleaning()
        #expect(try files.vaultFiles() == [])
    }

    @Test func `a copy that was made during a write keeps the old content`() throws {
        let content = bytes(3 * Self.chunk)
        try files.write(content, to: "file")
        let write = try files.begin("file", .offset(0))
        try write.write([9, 9], at: 0)
        try files.copy("file", "copy")
        #expect(reason { try write.finish() } == .fileChanged)
        try files.write([9, 9], to: "file", .offset(0))
        #expect(try files.bytes("copy") == content)
        #expect(try files.bytes("file") == [9, 9] + content.dropFirst(2))
        #expect(try files.vaultFiles().count == 2)
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `a piece that arrives while its write is being finished is refused`() throws {
        let content = bytes(70 * Self.chunk)
        try files.write(content, to: "file")
        for piece in [1, Self.chunk, Self.chunk + 4] {
            try files.copy("file", "copy")
            let write = try files.begin("copy", .end)
            try write.write([1, 2, 3], at: 0)
            let (finished, taken) = (OneShot<Bool>(), OneShot<ErrorReason?>())
            let owner = WorkOwner(userID: write.user, connection: 1)
            let engine = try files.engine
            engine.performFileWrite(.finish(write.id), for: owner) { result in
                finished.set((try? result.get()) != nil)
            }
            let late = FileWriteCommand.write(write.id, offset: 3, data: bytes(piece))
            engine.performFileWrite(late, for: owner) { result in
                if case .failure(let error) = result { taken.set(.some(error.reason)) } else { taken.set(nil) }
            }
            let reason = taken.wait()
            #expect(finished.wait() && (reason == .invalidArgument || reason == .fileWriteNotFound))
            #expect(try files.bytes("copy") == content + [1, 2, 3])
            #expect(try expectClean(files.engine) == [])
            try files.delete("copy")
        }
    }

    @Test func `wrong paths, offsets and pieces are refused and change nothing`() throws {
        #expect(reason { _ = try files.begin("none", .offset(0)) } == .fileNotFound)
        #expect(reason { _ = try files.begin("a/none") } == .parentDirectoryNotFound)
        #expect(reason { _ = try files.begin("") } == .alreadyExists)
        try files.create("directory")
        #expect(reason { _ = try files.begin("directory", .end) } == .alreadyExists)
        try files.save("file", "text")
        #expect(reason { _ = try files.begin("file", .offset(5)) } == .invalidArgument)
        let write = try files.begin("a/b/file", createsParents: true, byteCount: 10)
        #expect(try write.write([1, 2, 3], at: 0) == 3)
        #expect(reason { try write.write([1], at: 2) } == .invalidArgument)
        #expect(reason { try write.write(bytes(8), at: 3) } == .invalidArgument)
        #expect(try write.write(bytes(7), at: 3) == 10)
        #expect(try write.finish().createdCount == 3)
        #expect(try files.item("a/b/file")?.kind == .file(byteCount: 10))
        let short = try files.begin("short", byteCount: 10)
        try short.write([1], at: 0)
        #expect(reason { try short.finish() } == .invalidArgument)
        #expect(try files.item("short") == nil)
    }

    @Test func `a write belongs to its user, and one user gets half of the writes`() throws {
        let write = try files.begin("file")
        #expect(
            reason { try OpenWrite(engine: write.engine, id: write.id, user: 8).write([1], at: 0) }
                == .fileWriteNotFound)
        try write.write([1], at: 0)
        for _ in 1..<(FileWriteLimits.sessionsMax / 2) {
            _ = try files.begin("other")
        }
        #expect(reason { _ = try files.begin("other") } == .tooManyFileWrites)
        _ = try files.begin("other", user: 8)
    }

    @Test func `a key makes a write once, even if it is repeated after the end of the write`() throws {
        let write = try files.begin("file")
        try write.write(bytes(2 * Self.chunk), at: 0)
        let first = try write.finish(key: IdempotencyKey("finish the write"))
        let second = try write.finish(key: IdempotencyKey("finish the write"))
        #expect(!first.isReplayed && second.isReplayed && first.revision == second.revision)
        #expect(try files.write([], to: "file", .end).updatedCount == 0)
        #expect(try files.revision == first.revision)
    }
}
