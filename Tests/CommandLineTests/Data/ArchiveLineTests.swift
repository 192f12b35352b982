import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// Archives as JSON Lines, exported from one store and restored into another.
@Suite(.timeLimit(.minutes(3))) struct ArchiveLineTests {
    /// Returns the records of a plain archive between its header and its footer.
    private static func records(of path: String) -> [[UInt8]] {
        let archive = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
        var (records, start) = ([[UInt8]](), 16)
        while start + 4 <= archive.count {
            let length = archive[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
            let record = Array(archive[(start + 4)..<min(archive.count, start + 4 + length)])
            // The number of bytes in a piece of a content depends on how busy the daemon was, so pieces are joined.
            if record.first == contentTag, records.last?.first == contentTag {
                records[records.count - 1] += payload(of: record)
            } else {
                records.append(record.first == contentTag ? [contentTag] + payload(of: record) : record)
            }
            start += 4 + length
        }
        return Array(records.dropFirst().dropLast())
    }

    /// The tag of a field that contains a piece of a content: field 12, length-delimited.
    private static let contentTag: UInt8 = 12 << 3 | 2

    /// Returns the bytes of a field without its tag and its length.
    private static func payload(of record: [UInt8]) -> ArraySlice<UInt8> {
        record.dropFirst().drop { $0 >= 0x80 }.dropFirst()
    }

    /// Returns the lines except the header, with expiry times in whole seconds. A store keeps expiry times on its own
    /// clock and converts them to wall clock time for each export, so the microseconds may differ.
    private static func lines(of folder: String) throws -> [JSON] {
        var lines = Array(try LinesFolder.lines(of: folder).dropFirst())
        for index in lines.indices {
            lines[index].change { fields in
                fields["message"]?.change { message in
                    guard let expiry = message["expiresAtMicroseconds"]?.text.flatMap(Int64.init) else { return }
                    message["expiresAtMicroseconds"] = .integer(expiry / 1_000_000)
                }
            }
        }
        return lines
    }

    /// Stores what the sample lacks: files around the sizes of pieces, a log that has overwritten its oldest messages,
    /// and texts with all kinds of characters.
    private func fill(_ control: Control, _ daemon: TestDaemon) async throws {
        for bytes in [0, 1, 65_536, 65_537, 3 << 20] {
            let content = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 7 / 3) }
            let path = try daemon.directory.write(content, to: "content")
            try await control.text("files", "put", "-p", path, "library/sizes/of \(bytes)")
        }
        try await control.text("files", "mkdir", "-p", "document/empty/e\u{301}")
        try await control.text("logs", "open", "over", "--maximum-bytes", "200", "--overwrite")
        for number in 0..<12 {
            try await control.text("logs", "append", "over", "message \(number) of a log that is small")
        }
        let signs = "\u{1}\t\"\\\u{7f}\u{85}\u{2028}\u{202e}e\u{301}\u{e9}👍🏽\u{10ffff}\n"
        try await control.text("messages", "save", "bob", "--id", signs.filter { $0 != "\n" }, "-", input: signs)
        try await control.text("messages", "react", signs.filter { $0 != "\n" }, "👍🏽", "--by", "e\u{301}")
        try await control.text("contacts", "save", "carl", "--notes", "", "--display-name", signs)
        try await control.text("conversations", "update", "bob", "--keep-count", "9")
        for (key, type, value) in [
            ("infinite", "double", "-inf"), ("none", "float", "nan"), ("zero", "double", "-0.0"),
            ("least", "double", "5e-324"), ("most", "float", "3.4028235e38"),
            ("far", "integer", "-9223372036854775808"),
        ] {
            try await control.text("scenes", "set", "numbers", key, "--type", type, "--", value)
        }
    }

    @Test func `a full store that is exported as lines and restored is the same, byte for byte`() async throws {
        try await withControl { control, daemon in
            try await control.text("archive", "restore", LinesFolder.sample, "--json-lines")
            try await fill(control, daemon)
            let (folder, plain) = (daemon.directory.file("lines"), daemon.directory.file("plain"))
            let made = try await control.json("archive", "create", "--json-lines", folder)
            #expect(made.first?["file"]?.text == folder && made.first?["is_sealed"] == false)
            try await control.text("archive", "create", plain)
            try await withControl { other, otherDaemon in
                let told = try await other.json("archive", "restore", "--json-lines", folder, "--dry-run")
                #expect(told.first?["added"] == told.first?["counts"] && told.first?["is_dry_run"] == true)
                let report = try await other.json("archive", "restore", "--json-lines", folder)
                #expect(report.first?["added"] == report.first?["counts"] && report.first?["is_dry_run"] == false)
                #expect(report.first?["counts"]?["files"] == 7 && report.first?["counts"]?["contents"] == 1)
                let again = otherDaemon.directory.file("plain")
                try await other.text("archive", "create", again)
                let (records, back) = (Self.records(of: plain), Self.records(of: again))
                let others = records.indices.filter { !back.indices.contains($0) || back[$0] != records[$0] }
                let timed = records.firstIndex { String(decoding: $0, as: UTF8.self).contains("message-2\"") }
                #expect(others.allSatisfy { $0 == timed } && back.count == records.count, "\(others)")
                let lines = otherDaemon.directory.file("lines")
                try await other.text("archive", "create", "--json-lines", lines)
                #expect(try Self.lines(of: lines) == Self.lines(of: folder))
                let merged = try await other.json("archive", "restore", "--json-lines", lines, "--merge")
                #expect(merged.first?["equal"] == merged.first?["counts"])
                let full = try await other.run("archive", "restore", "--json-lines", lines)
                #expect(full.exitCode == 3 && full.errorOutput.contains("not empty"))
            }
        }
    }

    @Test func `the sample of the documentation is restored and exported without a change`() async throws {
        try await withControl { control, daemon in
            let report = try await control.json("archive", "restore", "--json-lines", LinesFolder.sample)
            #expect(report.first?["added"] == report.first?["counts"])
            let folder = daemon.directory.file("lines")
            try await control.text("archive", "create", "--json-lines", folder)
            let sample = try LinesFolder(at: daemon.directory.file("sample"))
            let wanted = try Self.lines(of: sample.path)
            let found = try Self.lines(of: folder)
            for line in wanted {
                #expect(found.contains(line), "\(line)")
            }
            #expect(found.count == wanted.count)
            for name in try FileManager.default.contentsOfDirectory(atPath: sample.file("contents")) {
                let made = FileManager.default.contents(atPath: folder + "/contents/" + name)
                #expect(made == FileManager.default.contents(atPath: sample.file("contents/" + name)), "\(name)")
            }
        }
    }

    @Test func `lines that were edited by hand are restored with the edits`() async throws {
        try await withControl { control, daemon in
            let folder = try LinesFolder(at: daemon.directory.file("lines"))
            var lines = folder.lines.map { String(decoding: (try? JSONEncoder().encode($0)) ?? Data(), as: UTF8.self) }
            let index = try folder.index(of: "message")
            lines[index] = lines[index].replacing("hello", with: #"changed \ud83d\ude00 by hand"#)
            lines[try folder.index(of: "reaction")] = ""
            lines[lines.count - 1] = lines[lines.count - 1].replacing(#""reactions":"1""#, with: #""reactions":"0""#)
            lines[2] = lines[2].replacing("\"Älice\"", with: "null")
            try folder.write(lines)
            try await control.text("archive", "restore", "--json-lines", folder.path)
            let message = try await control.json("messages", "get", "message-1").first
            #expect(message?["text"] == "changed 😀 by hand" && message?["reactions"] == .array([]))
            #expect(try await control.json("contacts", "get", "alice").first?["display_name"] == nil)
            #expect(try await control.json("drafts", "show", "alice").first?["text"] == "to be sent")
        }
    }

    @Test func `a record that the daemon rejects is reported with its line, and nothing changes`() async throws {
        try await withControl { control, daemon in
            let folder = try LinesFolder(at: daemon.directory.file("lines"))
            for (kind, field, value) in [
                ("reaction", "emoji", "two words"), ("sceneValue", "value", "/w=="), ("content", "digest", "AAAA"),
                ("directory", "path", .object([:])), ("contact", "sessionId", ""), ("message", "status", .null),
                ("message", "timer", .object(["lifetimeMilliseconds": "1"])),
            ] as [(String, String, JSON)] {
                let index = try folder.index(of: kind)
                try folder.write(changingRecordAt: index) { $0[field] = value }
                let refused = try await control.run("archive", "restore", "--json-lines", folder.path)
                #expect(refused.exitCode == 4, "\(kind) \(field): \(refused.errorOutput)")
                #expect(refused.errorOutput.contains("archive.jsonl: line \(index + 1): a record is not valid: "))
            }
            try Data([UInt8](repeating: 1, count: 76_800)).write(
                to: URL(filePath: folder.file(try #require(folder.lines[1]["contentFile"]?.text))))
            try folder.write(folder.lines)
            let other = try await control.run("archive", "restore", "--json-lines", folder.path)
            #expect(
                other.exitCode == 4 && other.errorOutput.contains("archive.jsonl: line 2: "), "\(other.errorOutput)")
            #expect(try await control.json("status").first?["revision"] == 0)
        }
    }

    @Test func `an exported folder is new or empty, for its owner alone, and never sealed`() async throws {
        try await withControl { control, daemon in
            try await control.text("messages", "save", "alice", "hello")
            let content = try daemon.directory.write([1], to: "content")
            try await control.text("files", "put", content, "document/a")
            let folder = daemon.directory.file("lines")
            try await control.text("archive", "create", "--json-lines", folder)
            for (path, mode) in [
                ("", 0o700), ("/contents", 0o700), ("/archive.jsonl", 0o600), ("/contents/file-000001", 0o600),
            ] as [(String, mode_t)] {
                var facts = stat()
                #expect(stat(folder + path, &facts) == 0 && facts.st_mode & 0o777 == mode, "\(path)")
            }
            let before = FileManager.default.contents(atPath: folder + "/archive.jsonl")
            let full = try await control.run("archive", "create", "--json-lines", folder)
            #expect(full.exitCode == 73 && full.errorOutput.contains("is not empty"), "\(full.errorOutput)")
            #expect(FileManager.default.contents(atPath: folder + "/archive.jsonl") == before)
            let empty = daemon.directory.file("empty")
            #expect(mkdir(empty, 0o700) == 0)
            try await control.text("archive", "create", "--json-lines", empty)
            let secret = try daemon.directory.write(Array("passphrase".utf8), to: "secret")
            for arguments in [
                ["create", "new", "--passphrase-file", secret], ["create", "new", "--force"], ["create", "-"],
                ["restore", empty, "--passphrase-file", secret], ["restore", "-"],
            ] {
                let refused = try await control.run(["archive", "--json-lines"] + arguments)
                #expect(refused.exitCode == 64, "\(arguments): \(refused.errorOutput)")
            }
            #expect(try await control.run("archive", "restore", "--json-lines", content).exitCode == 66)
        }
    }

    /// Starts an export and pauses the daemon (SIGSTOP) once the folder exists, so that `body` certainly runs during
    /// the export.
    private func whileMaking(
        _ control: Control, _ daemon: TestDaemon, _ folder: String, _ body: (RunningProgram) async throws -> Void
    ) async throws -> ProgramResult {
        let content = try daemon.directory.write([UInt8](repeating: 7, count: 24 << 20), to: "content")
        try await control.text("files", "put", content, "document/large")
        let running = try control.start("archive", "create", "--json-lines", folder)
        try await eventually("the folder is begun") { FileManager.default.fileExists(atPath: folder + "/contents") }
        daemon.child?.signal(SIGSTOP)
        try await body(running)
        daemon.child?.signal(SIGCONT)
        return try await running.wait()
    }

    @Test func `an interrupted export leaves no folder`() async throws {
        try await withControl { control, daemon in
            let folder = daemon.directory.file("lines")
            let result = try await whileMaking(control, daemon, folder) { running in
                running.signal(SIGTERM)
                try await eventually("it says what it waits for") { running.errorOutput.contains("interrupted: ") }
            }
            #expect(result.status == .signalled(SIGTERM), "\(result.errorOutput)")
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test func `a killed export leaves a folder that is rejected as an archive`() async throws {
        try await withControl { control, daemon in
            let folder = daemon.directory.file("lines")
            let result = try await whileMaking(control, daemon, folder) { $0.signal(SIGKILL) }
            #expect(result.status == .signalled(SIGKILL))
            let restored = try await control.run("archive", "restore", "--json-lines", folder, "--merge")
            #expect(restored.exitCode == 66)
            #expect(restored.errorOutput.contains("the folder is not an archive, or is not complete"))
        }
    }

    @Test(.enabled(if: SmallDisk.isMountable, "mounting a tmpfs is not permitted here"))
    func `an export that fills the disk removes its folder and ends its session in the daemon`() async throws {
        try await withControl { control, daemon in
            let content = try daemon.directory.write([UInt8](repeating: 7, count: 3 << 20), to: "content")
            try await control.text("files", "put", content, "document/large")
            let disk = try SmallDisk(bytes: 6 << 20)
            try disk.fill(leaving: 1 << 20)
            for _ in 0..<9 {
                let refused = try await control.run("archive", "create", "--json-lines", disk.path + "/lines")
                #expect(
                    refused.exitCode == 74 && refused.errorOutput.contains("cannot write in "), "\(refused.errorOutput)"
                )
                #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["ballast"])
            }
            disk.release()
            try await control.text("archive", "create", "--json-lines", disk.path + "/lines")
            #expect(try await control.text("archive", "show", disk.path + "/lines").contains("files"))
        }
    }

    @Test func `show describes an archive without a daemon`() async throws {
        try await withControl { control, daemon in
            try await control.text("messages", "save", "alice", "hello")
            let secret = try daemon.directory.write(Array("passphrase".utf8), to: "secret")
            let (plain, sealed) = (daemon.directory.file("plain"), daemon.directory.file("sealed"))
            try await control.text("archive", "create", plain)
            try await control.text("archive", "create", sealed, "--passphrase-file", secret)
            let verified = try #require(try await control.json("archive", "verify", plain).first)
            try await daemon.kill9()
            let shown = try #require(try await control.json("archive", "show", plain).first)
            #expect(shown["form"] == "plain" && shown["is_sealed"] == false && shown["format_version"] == 1)
            for name in ["history_id", "revision", "created_at_microseconds", "content_bytes", "content_id", "counts"] {
                #expect(shown[name] == verified[name], "\(name)")
            }
            let piped = try await control.shell("\"$CTL\" archive show - < '\(plain)'")
            #expect(try await control.text("archive", "show", plain) == piped.output)
            let head = try #require(try await control.json("archive", "show", sealed).first)
            #expect(head["form"] == "sealed" && head["sealed_for"] == "passphrase" && head["counts"] == nil)
            #expect(try await control.text("archive", "show", sealed).contains("ghoststorectl archive verify"))
            let lines = try #require(try await control.json("archive", "show", LinesFolder.sample).first)
            #expect(lines["form"] == "json_lines" && lines["revision"] == 42 && lines["counts"]?["messages"] == 2)
            for path in [daemon.directory.file("absent"), secret] {
                #expect(try await control.run("archive", "show", path).exitCode != 0)
            }
            let cut = [UInt8](FileManager.default.contents(atPath: plain) ?? Data()).dropLast()
            let short = try daemon.directory.write(Array(cut), to: "short")
            let failed = try await control.run("archive", "show", short)
            #expect(failed.exitCode == 4 && failed.errorOutput.contains("(byte "))
        }
    }
}
