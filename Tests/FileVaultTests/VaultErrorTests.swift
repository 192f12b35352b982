import FileVault
import FoundationEssentials
import GhostTestSupport
import StoreClient
import Testing

/// Checks every error of the original library for every operation that throws it, and that the files are unchanged
/// afterwards.
@Suite(.timeLimit(.minutes(1))) struct VaultErrorTests {
    /// A store whose documents folder contains `file`, `tree/leaf` and the empty directory `empty`.
    private struct Vault: Sendable {
        let vault: FileVault

        func url(_ path: String) throws(FileVaultError) -> URL {
            try vault.getFileURL(atPath: path, withSearchPath: .directory(type: .document))
        }

        func save(_ path: String, _ text: String, _ encoding: FileStringEncoding = .utf8) async throws(FileVaultError) {
            try await vault.saveFile(
                atURL: url(path), withEncodingAndData: .string(encoding: encoding, value: text),
                includeIntermediateDirectories: false)
        }

        func append(_ path: String, _ text: String, _ encoding: FileStringEncoding = .utf8)
            async throws(FileVaultError)
        {
            try await vault.appendData(
                .string(encoding: encoding, value: text), atURL: url(path), includeIntermediateDirectories: false)
        }

        func make(_ path: String, withParents: Bool) async throws(FileVaultError) {
            try await vault.createDirectory(atURL: url(path), includeIntermediateDirectories: withParents)
        }

        func remove(_ path: String, withChildren: Bool) async throws(FileVaultError) {
            try await vault.removeDirectory(atURL: url(path), includeIntermediateDirectories: withChildren)
        }

        func read(_ path: String, _ encoding: FileEncoding = .byteBuffer) async throws(FileVaultError) {
            _ = try await vault.readEntireFile(atURL: url(path), withEncoding: encoding)
        }

        func readRange(_ path: String) async throws(FileVaultError) {
            _ = try await vault.readRange(atURL: url(path), offset: 1, length: 1, withEncoding: .byteBuffer)
        }

        func readChunks(_ path: String, _ encoding: FileEncoding) async throws(FileVaultError) {
            for try await _ in try vault.readFileInChunks(atURL: url(path), withEncoding: encoding, andChunkSize: 4) {}
        }

        func contents() async throws -> [String: String] {
            var contents: [String: String] = [:]
            for path in ["file", "tree/leaf"] {
                let value = try await vault.readEntireFile(atURL: url(path), withEncoding: .string(encoding: .utf8))
                if case .string(_, let text) = value {
                    contents[path] = text
                }
            }
            for path in ["", "tree", "empty"] {
                contents[path + "/"] = "\(try await vault.listDirectory(atURL: url(path)).map(\.lastPathComponent))"
            }
            return contents
        }
    }

    private typealias Operation = (
        what: String, error: FileVaultError, run: @Sendable (Vault) async throws(FileVaultError) -> Void
    )

    private static func gone(_ path: String) -> FileVaultError { .fileNotFound(atPath: "document/" + path) }
    private static func noDirectory(_ path: String) -> FileVaultError { .directoryNotFound(atPath: "document/" + path) }

    private static let directoryOperations: [Operation] = [
        (
            "make without parent", .missingParentFolder,
            { files throws(FileVaultError) in try await files.make("no/x", withParents: false) }
        ),
        (
            "make below a file", .missingParentFolder,
            { files throws(FileVaultError) in try await files.make("file/x", withParents: false) }
        ),
        (
            "make again", .alreadyExists,
            { files throws(FileVaultError) in try await files.make("tree", withParents: false) }
        ),
        (
            "make again, with parents", .alreadyExists,
            { files throws(FileVaultError) in try await files.make("tree", withParents: true) }
        ),
        (
            "make over a file", .alreadyExists,
            { files throws(FileVaultError) in try await files.make("tree/leaf", withParents: true) }
        ),
        (
            "remove nothing", noDirectory("no"),
            { files throws(FileVaultError) in try await files.remove("no", withChildren: true) }
        ),
        (
            "remove a file", noDirectory("file"),
            { files throws(FileVaultError) in try await files.remove("file", withChildren: true) }
        ),
        (
            "remove what holds something", .notEmpty,
            { files throws(FileVaultError) in try await files.remove("tree", withChildren: false) }
        ),
        (
            "list nothing", noDirectory("no"),
            { files throws(FileVaultError) in _ = try await files.vault.listDirectory(atURL: files.url("no")) }
        ),
        (
            "list a file", noDirectory("file"),
            { files throws(FileVaultError) in _ = try await files.vault.listDirectory(atURL: files.url("file")) }
        ),
    ]

    private static let fileOperations: [Operation] = [
        ("read nothing", gone("no"), { files throws(FileVaultError) in try await files.read("no") }),
        ("read a directory", gone("tree"), { files throws(FileVaultError) in try await files.read("tree") }),
        ("read a part of nothing", gone("no"), { files throws(FileVaultError) in try await files.readRange("no") }),
        (
            "read what is no ascii", .cantDecodeData(usingEncoding: .ascii),
            { files throws(FileVaultError) in try await files.read("file", .string(encoding: .ascii)) }
        ),
        (
            "chunks of nothing", .notAbleToReadFile,
            { files throws(FileVaultError) in try await files.readChunks("no", .byteBuffer) }
        ),
        (
            "chunks of a directory", .notAbleToReadFile,
            { files throws(FileVaultError) in try await files.readChunks("tree", .byteBuffer) }
        ),
        (
            "chunks of what is no ascii", .cantEncodeData(usingEncoding: .ascii),
            { files throws(FileVaultError) in try await files.readChunks("file", .string(encoding: .ascii)) }
        ),
        (
            "save without parent", .missingParentFolder,
            { files throws(FileVaultError) in try await files.save("no/x", "x") }
        ),
        (
            "save over a directory", .alreadyExists,
            { files throws(FileVaultError) in try await files.save("tree", "x") }
        ),
        (
            "save what ascii cannot hold", .cantDecodeData(usingEncoding: .ascii),
            { files throws(FileVaultError) in try await files.save("file", "é", .ascii) }
        ),
        (
            "append without parent", .missingParentFolder,
            { files throws(FileVaultError) in try await files.append("no/x", "x") }
        ),
        (
            "append to a directory", .alreadyExists,
            { files throws(FileVaultError) in try await files.append("tree", "x") }
        ),
        (
            "append what ascii cannot hold", .cantDecodeData(usingEncoding: .ascii),
            { files throws(FileVaultError) in try await files.append("file", "é", .ascii) }
        ),
        (
            "delete nothing", gone("no"),
            { files throws(FileVaultError) in try await files.vault.deleteFile(atURL: files.url("no")) }
        ),
        (
            "delete a directory", gone("tree"),
            { files throws(FileVaultError) in try await files.vault.deleteFile(atURL: files.url("tree")) }
        ),
        (
            "attributes of nothing", gone("no"),
            { files throws(FileVaultError) in _ = try await files.vault.getItemAttributes(atURL: files.url("no")) }
        ),
        (
            "outside the vault", .cantCreateURL(forPath: "../x"),
            { files throws(FileVaultError) in try await files.read("../x") }
        ),
    ]

    private static func moves(
        _ name: String, _ move: @escaping @Sendable (Vault, String, String) async throws(FileVaultError) -> Void
    ) -> [Operation] {
        [
            ("\(name) nothing", gone("no"), { files throws(FileVaultError) in try await move(files, "no", "x") }),
            // The operation looks up the source before the destination.
            (
                "\(name) nothing over a directory", gone("no"),
                { files throws(FileVaultError) in try await move(files, "no", "tree") }
            ),
            (
                "\(name) nothing to nowhere", gone("no"),
                { files throws(FileVaultError) in try await move(files, "no", "nowhere/x") }
            ),
            (
                "\(name) to nowhere", .missingParentFolder,
                { files throws(FileVaultError) in try await move(files, "file", "nowhere/x") }
            ),
            (
                "\(name) a file over a directory", .alreadyExists,
                { files throws(FileVaultError) in try await move(files, "file", "empty") }
            ),
            (
                "\(name) a directory over another", .alreadyExists,
                { files throws(FileVaultError) in try await move(files, "tree", "empty") }
            ),
        ]
    }

    @Test func `every operation throws the error that the original documents, and changes nothing`() async throws {
        try await withDaemonAndClient { _, client in
            let vault = Vault(vault: FileVault(client: client))
            try await vault.make("tree", withParents: false)
            try await vault.make("empty", withParents: false)
            try await vault.save("file", "é")
            try await vault.save("tree/leaf", "leaf")
            let before = try await vault.contents()
            let renames = Self.moves("rename") { files, from, to throws(FileVaultError) in
                try await files.vault.renameItem(fromURL: files.url(from), toURL: files.url(to))
            }
            let copies = Self.moves("copy") { files, from, to throws(FileVaultError) in
                try await files.vault.copyItem(fromURL: files.url(from), toURL: files.url(to))
            }
            for (what, error, run) in Self.directoryOperations + Self.fileOperations + renames + copies {
                await #expect(throws: error, "\(what)") { try await run(vault) }
                #expect(try await vault.contents() == before, "\(what)")
            }
            // An item that is moved or copied to its own path stays unchanged.
            for path in ["file", "tree"] {
                try await vault.vault.renameItem(fromURL: vault.url(path), toURL: vault.url(path))
                try await vault.vault.copyItem(fromURL: vault.url(path), toURL: vault.url(path))
            }
            #expect(try await vault.contents() == before)
        }
    }
}
