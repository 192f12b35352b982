import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

@Suite struct BlobCommandTests {
    private static let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/blobstorage/two-languages.blob")

    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    @Test func `a file of the original library is imported and exported byte for byte`() async throws {
        try await withControl { control, daemon in
            let fixture = Self.fixture.path
            let out = daemon.directory.file("out.blob")
            let first = try await control.json("blobs", "import", "alice", fixture)
            #expect(first.first?["created_count"] == 12 && first.first?["messages"] == 12)
            let again = try await control.json("blobs", "import", "alice", fixture)
            #expect(again.first?["created_count"] == 0)
            try await control.text("blobs", "export", "alice", out)
            #expect(try bytes(out) == bytes(fixture))
            #expect(try await control.run("blobs", "export", "alice", out).exitCode == 73)
            try await control.text("blobs", "export", "alice", out, "--outgoing", "--force")
            #expect(try await control.json("blobs", "inspect", out).first?["is_sealed"] == false)
            #expect(try bytes(out) != bytes(fixture))
        }
    }

    @Test func `a file that is imported without a session is found by the library BlobStorage`() async throws {
        let source = try RepositoryFiles.text("Sources/BlobStorage/BlobStorage.swift")
        #expect(source.contains(#"defaultSessionID = "blob-storage""#))
        try await withControl { control, _ in
            let imported = try await control.json("blobs", "import", Self.fixture.path)
            #expect(imported.first?["created_count"] == 12)
            #expect(try await control.json("messages", "list", "blob-storage").count == 12)
            #expect(try await control.json("blobs", "import", Self.fixture.path).first?["created_count"] == 0)
            #expect(try await control.run("blobs", "import", "--by-id", Self.fixture.path).exitCode == 64)
            #expect(try await control.run("blobs", "import", "alice").exitCode == 66)
        }
    }

    @Test func `a file sealed with a passphrase opens only with this passphrase`() async throws {
        try await withControl { control, daemon in
            let sealed = daemon.directory.file("sealed.blob")
            let right = try daemon.directory.write(Array("right passphrase\n".utf8), to: "right")
            let wrong = try daemon.directory.write(Array("wrong passphrase\n".utf8), to: "wrong")
            try await control.text("blobs", "import", "alice", Self.fixture.path)
            try await control.text("blobs", "export", "alice", sealed, "--passphrase-file", right)
            #expect(try await control.json("blobs", "inspect", sealed).first?["sealed_for"] == "passphrase")
            let inspected = try await control.json("blobs", "inspect", sealed, "--passphrase-file", right)
            #expect(inspected.first?["messages"] == 12 && inspected.first?["is_dry_run"] == true)
            let refused = try await control.run(
                "blobs", "import", "bob", sealed, "--passphrase-file", wrong)
            #expect(refused.exitCode == 5)
            try await control.text("blobs", "import", "bob", sealed, "--passphrase-file", right)
            let out = daemon.directory.file("bob.blob")
            try await control.text("blobs", "export", "bob", out)
            #expect(try bytes(out) == bytes(Self.fixture.path))

            var damaged = try bytes(sealed)
            damaged[damaged.count - 1] ^= 1
            let path = try daemon.directory.write(damaged, to: "damaged.blob")
            let failed = try await control.run(
                "blobs", "import", "eve", path, "--passphrase-file", right)
            #expect(failed.exitCode == 4 && failed.errorOutput.contains("byte "))
            #expect(try await control.run("conversations", "get", "eve").exitCode == 2)
        }
    }

    @Test func `a file sealed for a recipient opens with the secret key`() async throws {
        try await withControl { control, daemon in
            // Made with `openssl genpkey -algorithm X25519`, as `blobs --help` says.
            let publicPEM = """
                -----BEGIN PUBLIC KEY-----
                MCowBQYDK2VuAyEAIbvdJlY7QDbLFvUZCF1ORtVLT3uK9BvwIPDg6XoBzDY=
                -----END PUBLIC KEY-----

                """
            let publicKey = try daemon.directory.write(Array(publicPEM.utf8), to: "public.pem")
            let secretBytes = try #require(Data(base64Encoded: "+L/uxCK/TnIKVZi52qMzWKeCddu62Xq+xoX53PLee2g="))
            let secretKey = try daemon.directory.write(Array(secretBytes), to: "secret.key")
            let sealed = daemon.directory.file("sealed.blob")
            try await control.text("blobs", "import", "alice", Self.fixture.path)
            try await control.text("blobs", "export", "alice", sealed, "--recipient", publicKey)
            #expect(try await control.run("blobs", "import", "bob", sealed).exitCode == 64)
            let imported = try await control.json(
                "blobs", "import", "bob", sealed, "--key-file", secretKey)
            #expect(imported.first?["created_count"] == 12 && imported.first?["is_sealed"] == true)
            let junk = try daemon.directory.write(Array("junk".utf8), to: "junk.pem")
            #expect(
                try await control.run("blobs", "export", "alice", sealed, "--force", "--recipient", junk).exitCode == 65
            )
        }
    }

    @Test func `a damaged file is reported with the damaged byte and changes nothing`() async throws {
        try await withControl { control, daemon in
            let cut = try daemon.directory.write(
                Array(try bytes(Self.fixture.path).prefix(500)), to: "cut.blob")
            for arguments in [["inspect", cut], ["import", "alice", cut]] {
                let result =
                    arguments.count == 2
                    ? try await control.run("blobs", arguments[0], arguments[1])
                    : try await control.run("blobs", arguments[0], arguments[1], arguments[2])
                #expect(result.exitCode == 4 && result.errorOutput.contains("byte 76"))
            }
            #expect(try await control.run("conversations", "get", "alice").exitCode == 2)
            #expect(try await control.run("blobs", "export", "alice", cut + ".out").exitCode == 2)
            #expect(FileManager.default.fileExists(atPath: cut + ".out") == false)
        }
    }

    @Test func `an export that cannot be written ends its session in the daemon`() async throws {
        try await withControl { control, daemon in
            // More than one piece, so that the daemon has not yet finished the export by itself.
            let text = String(repeating: "x", count: 900_000)
            for _ in 0..<2 {
                try await control.text("messages", "save", "alice", "-", input: text)
            }
            for _ in 0..<9 {
                let refused = try await control.run("blobs", "export", "alice", "/dev/full")
                #expect(refused.exitCode == 74, "\(refused.errorOutput)")
            }
            try await control.text("blobs", "export", "alice", daemon.directory.file("out.blob"))
        }
    }
}
