import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct FileCallTests {
    @Test func `files are saved, listed, watched, read in chunks and removed`() async throws {
        try await withDaemonAndClient { _, client in
            let path = VaultPath(.document, "/a//f/")
            #expect(path.description == "document/a/f" && path.names == ["a", "f"] && path.name == "f")
            #expect(VaultPath("document/a/f") == path && VaultPath("elsewhere/a") == nil)
            #expect(VaultPath("cache")?.isRoot == true && VaultPath(.cache).appending("x").description == "cache/x")
            let saved = try await client.saveFile(Array("0123456789".utf8), at: path, createsParents: true)
            #expect(saved.ids == ["document/a/f"] && saved.createdCount == 3)
            let item = try await client.vaultItem(at: path)
            #expect(item.kind == .file && item.contentBytes == 10 && item.revision == saved.revision)
            #expect(try await client.vaultItems(in: VaultPath(.document, "a")).collect() == [item])
            #expect(try await client.readFile(at: path, from: 3, byteCount: 4) == Array("3456".utf8))
            #expect(try await client.readFile(at: path, from: 30).isEmpty)
            var chunks: [String] = []
            for try await chunk in client.fileChunks(at: path, from: 1, ofBytes: 4) {
                chunks.append(String(decoding: chunk, as: UTF8.self))
            }
            #expect(chunks == ["1234", "5678", "9"])
            try await client.moveFile(from: path, to: VaultPath(.cache, "f"))
            try await client.removeDirectory(at: VaultPath(.document, "a"))
            var ids: [String] = []
            for try await change in client.changes(WatchFilter(kinds: [.file])) {
                ids.append("\(change.operation) \(change.id)")
            }
            #expect(
                ids == [
                    "created document", "created document/a", "created document/a/f", "deleted document/a/f",
                    "created cache", "created cache/f", "deleted document/a",
                ] || ids.count == 7, "\(ids)")
        }
    }

    @Test func `a write between two pieces of a read ends the read`() async throws {
        try await withDaemonAndClient { _, client in
            let path = VaultPath(.temporary, "f")
            try await client.saveFile(Array("0123456789".utf8), at: path)
            var chunks = client.fileChunks(at: path, ofBytes: 4).makeAsyncIterator()
            #expect(try await chunks.next() == Array("0123".utf8))
            try await client.appendFile(Array("x".utf8), at: path)
            let error = await #expect(throws: StoreClientError.self) { _ = try await chunks.next() }
            #expect(error?.reason == .fileChanged)
            #expect(try await chunks.next() == nil)
        }
    }

    @Test func `a write in pieces takes effect at its end, at any offset of the file`() async throws {
        try await withDaemonAndClient { _, client in
            let path = VaultPath(.document, "f")
            let size = StoreClient.filePieceBytesMax + 100_000
            var bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
            var writer = try await client.beginFileWrite(at: path)
            try await writer.write(bytes)
            #expect(writer.offset == UInt64(size))
            await #expect(throws: StoreClientError.self) { _ = try await client.vaultItem(at: path) }
            try await writer.finish()
            #expect(try await client.readFile(at: path) == bytes)
            writer = try await client.beginFileWrite(at: path, .offset(70_000), byteCount: 3)
            try await writer.write([1, 2, 3])
            try await writer.finish()
            bytes.replaceSubrange(70_000..<70_003, with: [1, 2, 3])
            #expect(try await client.readFile(at: path) == bytes)
            writer = try await client.beginFileWrite(at: path, .offset(70_000), byteCount: 2)
            try await writer.write([4])
            let early = await #expect(throws: StoreClientError.self) { try await writer.finish() }
            #expect(early?.reason == .invalidArgument)
            try await writer.write([5])
            try await writer.finish()
            bytes.replaceSubrange(70_000..<70_002, with: [4, 5])
            #expect(try await client.readFile(at: path) == bytes)
            let tooLong = await #expect(throws: StoreClientError.self) {
                _ = try await client.beginFileWrite(at: path, byteCount: 1 << 44 + 1)
            }
            #expect(tooLong?.reason == .invalidArgument)
            let left = try await client.beginFileWrite(at: path)
            try await left.end()
            let error = await #expect(throws: StoreClientError.self) { try await left.finish() }
            #expect(error?.reason == .fileWriteNotFound)
            #expect(try await client.readFile(at: path, from: UInt64(size - 2)) == Array(bytes.suffix(2)))
        }
    }
}
