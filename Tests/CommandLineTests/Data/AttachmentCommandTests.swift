import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

@Suite struct AttachmentCommandTests {
    @Test func `files are attached to a message, listed, shown with it and got back`() async throws {
        try await withControl { control, daemon in
            let large = (0..<2_100_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
            let paths = try [daemon.directory.write([1, 2, 3], to: "a:b"), daemon.directory.write(large, to: "large")]
            try await control.text(
                "messages", "save", "alice", "--id", "m1", "--attach", paths[0] + ":Image/PNG", "--attach", paths[1],
                "hello")
            let list = try await control.json("attachments", "list", "alice")
            #expect(list.map { $0["name"] } == ["large", "a:b"] && list.map { $0["position"] } == [1, 0])
            #expect(list.map { $0["mime_type"] } == ["application/octet-stream", "image/png"])
            #expect(try await control.json("attachments", "list", "alice", "--mime-type", "image/").count == 1)
            #expect(try await control.text("messages", "get", "m1").contains("a:b (image/png, "))
            let got = daemon.directory.file("got")
            try await control.text("attachments", "get", "m1", "1", got)
            #expect(FileManager.default.contents(atPath: got) == Data(large))
            #expect(try await control.run("attachments", "get", "m1", "1", got).exitCode != 0)
            try await control.text("attachments", "get", "m1", "0", got, "--force")
            #expect(FileManager.default.contents(atPath: got) == Data([1, 2, 3]))
            #expect(try await control.run("attachments", "get", "m1", "2", "-").exitCode == 2)
            #expect(try await control.run("attachments", "get", "m2", "0", "-").exitCode == 2)
            #expect(
                try await control.run("messages", "save", "alice", "--attach", paths[0] + ":a b/c", "x").exitCode == 65)
            // What says nothing of attachments takes none away.
            let lines = try await control.text("messages", "export", "alice")
            _ = try await control.run("messages", "import", "-", input: lines)
            #expect(try await control.json("attachments", "list", "alice").count == 2)
            let archive = daemon.directory.file("archive")
            try await control.text("archive", "create", archive)
            let verified = try await control.json("archive", "verify", archive)
            #expect(verified.first?["counts"]?["contents"] == 2)
        }
    }
}
