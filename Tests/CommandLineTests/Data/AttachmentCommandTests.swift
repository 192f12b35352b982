import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

@Suite struct AttachmentCommandTests {
    @Test func `files are attached to a message, listed, shown with the message and downloaded`() async throws {
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
            // Lines without a field for attachments leave existing attachments unchanged.
            let lines = try await control.text("messages", "export", "alice")
            _ = try await control.run("messages", "import", "-", input: lines)
            #expect(try await control.json("attachments", "list", "alice").count == 2)
            let archive = daemon.directory.file("archive")
            try await control.text("archive", "create", archive)
            let verified = try await control.json("archive", "verify", archive)
            #expect(verified.first?["counts"]?["contents"] == 2)
        }
    }

    @Test func `a path with a colon is attached, and an ambiguous argument is rejected`() async throws {
        try await withControl { control, _ in
            let script = """
                set -e; cd "$(mktemp -d)"
                mkdir 'at 10:30' 'photo:image' x && printf photo > 'at 10:30/photo.jpg' && printf other > 'at 10'
                printf png > 'photo:image/png' && printf text > x/y
                shown() { "$CTL" attachments get "$1" 0 -; printf ' '; }
                save() { "$CTL" messages save alice look --id "$1" --attach "$2" > /dev/null; shown "$1"; }
                save 1 'at 10:30/photo.jpg'
                save 2 'at 10:30/photo.jpg:image/jpeg'
                save 3 'photo:image/png'
                save 4 'x/y:text/plain'
                save 5 'x/y:image/svg+xml'
                printf shorter > photo
                "$CTL" messages save alice look --id 6 --attach 'photo:image/png' 2> error && exit 9
                grep -q "write photo:image/png:TYPE; to attach 'photo', write -:image/png and redirect it to" error
                save 7 'photo:image/png:image/png'
                "$CTL" messages save alice look --id 8 --attach -:image/png < photo > /dev/null; shown 8
                "$CTL" drafts save alice look --attach 'photo:image/png' 2> error && exit 9
                "$CTL" messages save alice look --attach 'none:image/png' 2> error && exit 9
                grep -q 'cannot open none: ' error
                """
            let result = try await control.shell(script)
            #expect(result.exitCode == 0, "\(result.output) \(result.errorOutput)")
            #expect(result.output == "photo photo png text text png shorter ", "\(result.output)")
            #expect(try await control.run("messages", "get", "6").exitCode == 2)
            let types = try await control.json("attachments", "list", "alice").map { $0["mime_type"]?.text }
            #expect(
                types.reversed() == [
                    "application/octet-stream", "image/jpeg", "application/octet-stream", "text/plain",
                    "image/svg+xml", "image/png", "image/png",
                ])
        }
    }

    @Test func `an attachment is read from standard input, with a thumbnail and a source`() async throws {
        try await withControl { control, daemon in
            let small = try daemon.directory.write([9, 9], to: "small")
            let other = try daemon.directory.write([1, 2], to: "other")
            try await control.text(
                "messages", "save", "alice", "--id", "m1", "--attach", "-:text/plain", "--attach", other,
                "--attach-thumbnail", "", "--attach-thumbnail", small, "--attach-source", "https://example.org/a",
                "hello",
                input: "from a pipe")
            let list = try await control.json("attachments", "list", "--message", "m1")
            #expect(list.map { $0["mime_type"] } == ["text/plain", "application/octet-stream"])
            #expect(list.map { $0["source"] } == ["https://example.org/a", ""])
            #expect(list.map { $0["has_thumbnail"] } == [false, true])
            #expect(try await control.text("attachments", "get", "m1", "0", "-") == "from a pipe")
            #expect(try await control.text("attachments", "get", "m1", "1", "--thumbnail", "-") == "\t\t")
            for place in ["0", "2"] {
                #expect(try await control.run("attachments", "get", "m1", place, "--thumbnail", "-").exitCode == 2)
            }
            // Without `--attach` and `--keep-attachments`, the new message has no attachments.
            try await control.text("messages", "save", "alice", "--id", "m1", "--keep-attachments", "hello again")
            #expect(try await control.json("attachments", "list", "--message", "m1").count == 2)
            try await control.text("messages", "save", "alice", "--id", "m1", "hello again")
            #expect(try await control.json("attachments", "list", "--message", "m1").isEmpty)
            let twice = try await control.run(
                "messages", "save", "alice", "-", "--attach", "-", input: "text")
            #expect(twice.exitCode == 64 && twice.errorOutput.contains("give '-' only once"), "\(twice.errorOutput)")
            let many = try await control.run(
                "messages", "save", "alice", "x", "--attach", other, "--attach-source", "a", "--attach-source", "b")
            #expect(
                many.exitCode == 64 && many.errorOutput.contains("more thumbnails, sources or metadata"),
                "\(many.errorOutput)")
            let large = try daemon.directory.write([UInt8](repeating: 0, count: 16_385), to: "large")
            let refused = try await control.run(
                "messages", "save", "alice", "x", "--attach", other, "--attach-thumbnail", large)
            #expect(refused.exitCode == 65, "\(refused.errorOutput)")
        }
    }

    @Test func `attachments have the metadata of their files, in order`() async throws {
        try await withControl { control, daemon in
            let file = try daemon.directory.write([1], to: "one")
            let event = try daemon.directory.write("{}", to: "event")
            let save = ["messages", "save", "alice", "--id", "m1", "--attach", file, "--attach", file]
            let saved = try await control.run(
                save + ["--attach-metadata", "", "--attach-metadata", "-"]
                    + ["--attach-metadata-type", "", "--attach-metadata-type", "application/json", "x"],
                input: Array("{}".utf8))
            #expect(saved.exitCode == 0, "\(saved.errorOutput)")
            let listed = try await control.json("attachments", "list", "--message", "m1")
            #expect(listed.map { $0["metadata"] } == [nil, "e30="])
            #expect(listed.map { $0["metadata_type"] } == [nil, "application/json"])
            let message = try #require(try await control.json("messages", "get", "m1").first)
            #expect(message["attachments"]?.array?.map { $0["metadata"] } == [nil, "e30="])
            #expect(try await control.run(save + ["--attach-metadata", event, "x"]).exitCode == 0)
            let again = try await control.json("attachments", "list", "--message", "m1")
            #expect(again.map { $0["metadata"] } == ["e30=", nil] && again[0]["metadata_type"] == nil)
            let large = try daemon.directory.write([UInt8](repeating: 0, count: 65_537), to: "large")
            #expect(try await control.run(save + ["--attach-metadata", large, "x"]).exitCode == 65)
            let typeOnly = try await control.run(save + ["--attach-metadata-type", "a/b", "x"])
            #expect(typeOnly.exitCode == 64 && typeOnly.errorOutput.contains("needs --attach-metadata"))
        }
    }

    @Test func `attachments of a message are listed in order, and all attachments by size`() async throws {
        try await withControl { control, daemon in
            let file = try daemon.directory.write([1, 2], to: "one")
            let other = try daemon.directory.write([3], to: "two")
            try await control.text("messages", "save", "alice", "--id", "m1", "--attach", file, "--attach", other, "x")
            try await control.text("messages", "save", "alice", "--id", "m2", "--attach", other, "x")
            let list = try await control.json("attachments", "list", "--message", "m1")
            #expect(list.map { $0["name"] } == ["one", "two"] && list.map { $0["position"] } == [0, 1])
            let digest = try #require(list.last?["digest"]?.text)
            #expect(try await control.text("attachments", "list", "alice", "--wide").contains(digest))
            let large = try daemon.directory.write([4, 5, 6], to: "three")
            try await control.text("messages", "save", "bob", "--id", "m3", "--attach", large + ":image/png", "x")
            let all = try await control.json("attachments", "list")
            #expect(all.map { $0["message_id"] } == ["m3", "m1", "m2", "m1"])
            #expect(all.map { $0["name"] } == ["three", "one", "two", "two"])
            let bob = try await control.json("conversations", "get", "bob").first?["id"]
            #expect(all.first?["conversation_id"] == bob)
            let images = try await control.json("attachments", "list", "--mime-type", "image/")
            #expect(images.map { $0["name"] } == ["three"])
            let page = try await control.run("attachments", "list", "--limit", "3")
            let cursor = try #require(page.errorOutput.split(separator: "--cursor ").last?.split(separator: ",").first)
            let rest = try await control.json("attachments", "list", "--cursor", String(cursor))
            #expect(rest.map { $0["message_id"] } == ["m1"] && rest.map { $0["position"] } == [1])
            let table = try await control.text(
                "attachments", "list", "--columns", "conversation,name", "--limit", "1")
            #expect(table.split(separator: "\n").last?.split(separator: " ") == ["bob", "three"])
            let refused = try await control.run("attachments", "list", "alice", "--message", "m1")
            #expect(refused.exitCode == 64 && refused.errorOutput.contains("name a conversation, or a message"))
        }
    }

    @Test func `a draft can have attachments, and a list of messages shows their number`() async throws {
        try await withControl { control, daemon in
            let file = try daemon.directory.write([1, 2], to: "one")
            try await control.text("drafts", "save", "alice", "--attach", file + ":image/png", "--attach", file, "")
            let draft = try #require(try await control.json("drafts", "show", "alice").first)
            #expect(draft["attachments"]?.array?.map { $0["mime_type"] } == ["image/png", "application/octet-stream"])
            try await control.text("messages", "save", "bob", "--id", "with", "--attach", file, "--attach", file, "x")
            try await control.text("messages", "save", "bob", "--id", "elsewhere", "--attachment-url", "u", "x")
            try await control.text("messages", "save", "bob", "--id", "without", "x")
            let lines = try await control.text("messages", "list", "bob").split(separator: "\n")
            let heading = try #require(lines.first)
            let end = try #require(heading.firstRange(of: "FILES")).upperBound
            let column = heading.distance(from: heading.startIndex, to: end)
            let marks = Dictionary(
                lines.dropFirst().map { line in
                    (String(line.split(separator: " ").suffix(2).first ?? ""), line.prefix(column).last)
                }, uniquingKeysWith: { first, _ in first })
            #expect(marks == ["with": "2", "elsewhere": "1", "without": " "])
        }
    }
}
