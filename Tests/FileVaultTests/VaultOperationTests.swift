import FileVault
import FoundationEssentials
import GhostTestSupport
import StoreClient
import Testing

/// Runs every operation of the original library against the daemon and checks the errors that it documents.
@Suite(.timeLimit(.minutes(1))) struct VaultOperationTests {
    /// Short names for the operations of a vault on the documents folder.
    struct Documents: Sendable {
        let vault: FileVault

        func url(_ path: String) throws(FileVaultError) -> URL {
            try vault.getFileURL(atPath: path, withSearchPath: .directory(type: .document))
        }

        func save(_ path: String, _ text: String, parents: Bool = false) async throws(FileVaultError) {
            try await vault.saveFile(
                atURL: url(path), withEncodingAndData: .string(encoding: .utf8, value: text),
                includeIntermediateDirectories: parents)
        }

        func append(_ path: String, _ text: String, as encoding: FileStringEncoding = .utf8)
            async throws(FileVaultError)
        {
            try await vault.appendData(
                .string(encoding: encoding, value: text), atURL: url(path), includeIntermediateDirectories: false)
        }

        func text(_ path: String, as encoding: FileStringEncoding = .utf8) async throws(FileVaultError) -> String? {
            let value = try await vault.readEntireFile(atURL: url(path), withEncoding: .string(encoding: encoding))
            guard case .string(_, let text) = value else { return nil }
            return text
        }

        func list(_ path: String = "") async throws(FileVaultError) -> [String] {
            try await vault.listDirectory(atURL: url(path)).map(\.absoluteString)
        }
    }

    private func fault(_ body: () async throws(FileVaultError) -> Void) async -> FileVaultError? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    private func withDocuments(_ body: @escaping @Sendable (Documents) async throws -> Void) async throws {
        try await withDaemonAndClient { _, client in
            try await body(Documents(vault: FileVault(client: client)))
        }
    }

    @Test func `directories are created, listed and removed`() async throws {
        try await withDocuments { files in
            let (vault, nested, outer) = (files.vault, try files.url("a/b"), try files.url("a"))
            #expect(
                await fault { () throws(FileVaultError) in
                    try await vault.createDirectory(atURL: nested, includeIntermediateDirectories: false)
                } == .missingParentFolder)
            try await vault.createDirectory(atURL: nested, includeIntermediateDirectories: true)
            #expect(
                await fault { () throws(FileVaultError) in
                    try await vault.createDirectory(atURL: nested, includeIntermediateDirectories: true)
                } == .alreadyExists)
            try await files.save("a/one file", "1")
            #expect(
                try await files.list("a") == [
                    "ghoststore-file:///document/a/b", "ghoststore-file:///document/a/one%20file",
                ])
            #expect(
                await fault { () throws(FileVaultError) in
                    try await vault.removeDirectory(atURL: outer, includeIntermediateDirectories: false)
                } == .notEmpty)
            try await vault.removeDirectory(atURL: nested, includeIntermediateDirectories: false)
            try await vault.removeDirectory(atURL: outer, includeIntermediateDirectories: true)
            #expect(try await files.list() == [])
            #expect(
                await fault { () throws(FileVaultError) in
                    try await vault.removeDirectory(atURL: outer, includeIntermediateDirectories: true)
                } == .directoryNotFound(atPath: "document/a"))
            #expect(
                await fault { () throws(FileVaultError) in _ = try await vault.listDirectory(atURL: outer) }
                    == .directoryNotFound(atPath: "document/a"))
        }
    }

    @Test func `files are saved, appended to, read whole and by ranges, and deleted`() async throws {
        try await withDocuments { files in
            let (vault, url) = (files.vault, try files.url("a/f"))
            #expect(
                await fault { () throws(FileVaultError) in try await files.save("a/f", "x") } == .missingParentFolder)
            try await files.save("a/f", "hello", parents: true)
            try await files.append("a/f", ", wörld")
            #expect(try await files.text("a/f") == "hello, wörld")
            let bytes = FileEncoding.byteBuffer
            for (offset, length, expected) in [(0, 5, "hello"), (7, 0, "wörld"), (7, -1, "wörld"), (100, 5, "")] {
                let part = try await vault.readRange(
                    atURL: url, offset: UInt64(offset), length: length, withEncoding: bytes)
                #expect(part == .byteBuffer(value: Data(expected.utf8)))
            }
            let attributes = try await vault.getItemAttributes(atURL: url)
            #expect(attributes.size == 13 && attributes.type == .file)
            #expect(attributes.modificationDateTimestamp >= attributes.creationDateTimestamp)
            #expect(try await vault.getItemAttributes(atURL: files.url("a")).type == .directory)
            try await files.save("a/f", "replaced")
            #expect(try await files.text("a/f") == "replaced")
            #expect(await fault { () throws(FileVaultError) in try await files.save("a", "x") } == .alreadyExists)
            try await vault.deleteFile(atURL: url)
            let gone = FileVaultError.fileNotFound(atPath: "document/a/f")
            #expect(await fault { () throws(FileVaultError) in try await vault.deleteFile(atURL: url) } == gone)
            #expect(await fault { () throws(FileVaultError) in _ = try await files.text("a/f") } == gone)
            #expect(
                await fault { () throws(FileVaultError) in _ = try await vault.getItemAttributes(atURL: url) } == gone)
        }
    }

    @Test func `items are renamed and copied; files are replaced, and directories are not`() async throws {
        try await withDocuments { files in
            try await files.save("one", "1")
            try await files.save("two", "2")
            try await files.save("tree/inner/leaf", "3", parents: true)
            for put in [files.vault.copyItem, files.vault.renameItem] {
                let missing = await fault { () throws(FileVaultError) in
                    try await put(files.url("none"), files.url("no/where"))
                }
                #expect(missing == .fileNotFound(atPath: "document/none"))
                let orphan = await fault { () throws(FileVaultError) in
                    try await put(files.url("one"), files.url("no/where"))
                }
                #expect(orphan == .missingParentFolder)
                let taken = await fault { () throws(FileVaultError) in
                    try await put(files.url("one"), files.url("tree"))
                }
                #expect(taken == .alreadyExists)
                try await put(files.url("tree"), files.url("tree"))
            }
            try await files.vault.copyItem(fromURL: files.url("tree"), toURL: files.url("copy"))
            #expect(try await files.text("copy/inner/leaf") == "3")
            #expect(try await files.text("tree/inner/leaf") == "3")
            try await files.vault.copyItem(fromURL: files.url("one"), toURL: files.url("two"))
            #expect(try await files.text("two") == "1")
            try await files.vault.renameItem(fromURL: files.url("one"), toURL: files.url("tree/inner/leaf"))
            #expect(try await files.text("tree/inner/leaf") == "1")
            #expect(await fault { () throws(FileVaultError) in _ = try await files.text("one") } != nil)
        }
    }

    @Test func `text is stored in its encoding, and text outside of it is rejected`() async throws {
        try await withDocuments { files in
            try await files.append("ascii", "plain", as: .ascii)
            #expect(
                await fault { () throws(FileVaultError) in try await files.append("ascii", "é", as: .ascii) }
                    == .cantDecodeData(usingEncoding: .ascii))
            #expect(try await files.text("ascii", as: .ascii) == "plain")
            try await files.save("utf8", "é")
            #expect(
                await fault { () throws(FileVaultError) in _ = try await files.text("utf8", as: .ascii) }
                    == .cantDecodeData(usingEncoding: .ascii))
            try await files.append("utf16", "one 👍", as: .utf16)
            try await files.append("utf16", ", two", as: .utf16)
            #expect(try await files.text("utf16", as: .utf16) == "one 👍, two")
            #expect(
                await fault { () throws(FileVaultError) in _ = try await files.text("utf16") }
                    == .cantDecodeData(usingEncoding: .utf8))
        }
    }

    @Test func `a file of any size is saved, appended to and read by ranges`() async throws {
        try await withDocuments { files in
            let url = try files.url("large")
            var bytes = (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 / 5) }
            try await files.vault.saveFile(
                atURL: url, withEncodingAndData: .byteBuffer(value: Data(bytes)), includeIntermediateDirectories: false)
            for count in [10, 100_000] {
                let more = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
                try await files.vault.appendData(
                    .byteBuffer(value: more), atURL: url, includeIntermediateDirectories: false)
                bytes += more
            }
            let encoding = FileEncoding.byteBuffer
            #expect(
                try await files.vault.readEntireFile(atURL: url, withEncoding: encoding)
                    == .byteBuffer(value: Data(bytes)))
            let part = try await files.vault.readRange(
                atURL: url, offset: 1_000_000, length: 1_500_010, withEncoding: encoding)
            #expect(part == .byteBuffer(value: Data(bytes.dropFirst(1_000_000).prefix(1_500_010))))
            #expect(try await files.vault.getItemAttributes(atURL: url).size == 2_600_010)
        }
    }

    @Test func `chunks have the given size or whole characters, and together equal the file`() async throws {
        try await withDocuments { files in
            let text = String(repeating: "aé漢👩‍👩‍👧\r\n", count: 2_000)
            try await files.save("f", text)
            for size in [1, 7, 4_096, 1 << 20] {
                let url = try files.url("f")
                var together = ""
                let chunks = try files.vault.readFileInChunks(
                    atURL: url, withEncoding: .string(encoding: .utf8), andChunkSize: size)
                guard size > 1 else { continue }
                for try await chunk in chunks {
                    guard case .string(_, let part) = chunk else { continue }
                    #expect(part.last != "\r" && part.first != "\u{200d}" && !part.isEmpty)
                    together += part
                }
                #expect(together == text)
            }
            var sizes: [Int] = []
            let chunks = try files.vault.readFileInChunks(
                atURL: files.url("f"), withEncoding: .byteBuffer, andChunkSize: 20_000)
            for try await case .byteBuffer(let data) in chunks {
                sizes.append(data.count)
            }
            #expect(sizes.dropLast().allSatisfy { $0 == 20_000 } && sizes.reduce(0, +) == text.utf8.count)
            let absent = try files.vault.readFileInChunks(
                atURL: files.url("none"), withEncoding: .byteBuffer, andChunkSize: 8)
            await #expect(throws: FileVaultError.notAbleToReadFile) {
                for try await _ in absent {}
            }
            try await files.vault.saveFile(
                atURL: files.url("f"), withEncodingAndData: .byteBuffer(value: Data([0x61, 0xFF, 0x61])),
                includeIntermediateDirectories: false)
            let noText = try files.vault.readFileInChunks(
                atURL: files.url("f"), withEncoding: .string(encoding: .utf8), andChunkSize: 8)
            await #expect(throws: FileVaultError.cantEncodeData(usingEncoding: .utf8)) {
                for try await _ in noText {}
            }
        }
    }
}
