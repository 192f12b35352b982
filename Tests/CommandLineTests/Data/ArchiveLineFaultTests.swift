import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// Folders of JSON Lines that are wrong: what is said of them, without a daemon.
@Suite struct ArchiveLineFaultTests {
    private func expect(
        _ folder: LinesFolder, _ message: String, status: Int32 = 65, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let shown = try await folder.show()
        #expect(
            shown.exitCode == status && shown.errorOutput.contains(message), "\(shown.errorOutput)",
            sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        ("{", "line 4: "), ("[]", "line 4: the line is not a JSON object"), ("{} x", "line 4: something follows"),
        (#"{"record": "person"}"#, "line 4: the field 'record' must be one of header, contact, "),
        (#"{"id": "x"}"#, "line 4: the field 'record' is missing"),
        (#"{"record": "contact", "id": "x", "id": "y"}"#, "line 4: a field name is used twice"),
        (#"{"record": "log", "name": "\ud800", "maximum_bytes": 1}"#, "line 4: the string at byte "),
        (#"{"record": "log", "name": "l", "maximum_bytes": -1}"#, "'maximum_bytes' is not an integer of 64 bits"),
        (#"{"record": "log", "name": "l", "maximum_bytes": 1.0}"#, "'maximum_bytes' is not an integer of 64 bits"),
        (
            #"{"record": "log", "name": "l", "maximum_bytes": 18446744073709551616}"#,
            "'maximum_bytes' is not an integer of 64 bits"
        ),
        (
            #"{"record": "log_entry", "sequence": 1, "offset": 64, "position": 0}"#,
            "one of the fields 'text' and 'data'"
        ),
        (
            #"{"record": "log_entry", "sequence": 1, "offset": 64, "position": 0, "data": "=A"}"#,
            "the field 'data' is not base64"
        ),
        (
            #"{"record": "directory", "path": "etc/x", "created_at_microseconds": 1, "modified_at_microseconds": 1}"#,
            "line 4: the field 'path' must begin with one of the areas cache, document, "
        ),
        (
            #"{"record": "reaction", "author_session_id": "a", "emoji": "👍", "created_at_microseconds": 1}"#,
            "line 4: no message comes before a reaction"
        ),
        (#"{"record": "footer", "counts": {"people": 1}}"#, "line 4: unknown field 'people'"),
        (#"{"record": "footer", "counts": {}}"#, "line 4: the footer says 0 contacts, but there are 1"),
    ])
    func `a line that cannot be is told with its number`(line: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        let folder = try LinesFolder(at: directory.file("lines"))
        var lines = folder.lines.map { String(decoding: (try? JSONEncoder().encode($0)) ?? Data(), as: UTF8.self) }
        lines.insert(line, at: 3)
        try folder.write(lines)
        try await expect(folder, message)
        try await expect(folder, "/archive.jsonl: line 4: ")
    }

    @Test(arguments: [
        (#"{"integer": 1.5}"#, "not an integer"), (#"{"integer": 9223372036854775808}"#, "not an integer"),
        (#"{"double": 1e999}"#, "out of the range"), (#"{"float": 1e39}"#, "out of the range"),
        (#"{"double": "nan:7ff0000000000000"}"#, "must be a number or one of the texts inf, -inf"),
        (#"{"float": "nan:7ff8000000000001"}"#, "or nan: followed by 8 or 16 hexadecimal digits"),
        (#"{"float": "NaN"}"#, "must be a number or one of the texts inf, -inf"),
        (#"{"data": "?"}"#, "not base64"), (#"{"bool": 1}"#, "cannot hold a number"),
        (#"{"set": []}"#, "an unknown kind"),
        (#"{"bool": true, "integer": 1}"#, "an object with one field"), ("5", "an object with one field"),
        (#"{"array": [5]}"#, "an object with one field"),
        (
            String(repeating: #"{"array": ["#, count: 32) + #"{"bool": true}"# + String(repeating: "]}", count: 32),
            "32 levels"
        ),
    ])
    func `a value that no scene holds is told with its line`(value: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        let folder = try LinesFolder(at: directory.file("lines"))
        let line = #"{"record": "scene_value", "key": "k", "updated_at_microseconds": 1, "value": \#(value)}"#
        try folder.write(
            [String(decoding: try JSONEncoder().encode(folder.lines[0]), as: UTF8.self), line])
        try await expect(folder, "line 2: ")
        try await expect(folder, message)
    }

    @Test func `lines that were broken off, or go on behind the footer, are no archive`() async throws {
        let directory = try TemporaryDirectory()
        let folder = try LinesFolder(at: directory.file("lines"))
        let count = folder.lines.count
        try folder.write(Array(folder.lines.dropLast()))
        try await expect(folder, "line \(count): the footer is missing")
        try folder.write(folder.lines + [folder.lines[2]])
        try await expect(folder, "line \(count + 1): a record follows the footer")
        try folder.write([JSON]())
        try await expect(folder, "line 1: the footer is missing")
        try FileManager.default.removeItem(atPath: folder.file("archive.jsonl"))
        try await expect(folder, "has no archive.jsonl", status: 66)
    }

    @Test func `a content that is missing, shorter or longer is told with its line`() async throws {
        let directory = try TemporaryDirectory()
        let folder = try LinesFolder(at: directory.file("lines"))
        let path = folder.file("contents/file-000002")
        let line = try folder.index(of: "file") { $0["content_file"] == "contents/file-000002" } + 1
        #expect(truncate(path, 69_999) == 0)
        try await expect(folder, "line \(line): contents/file-000002 has 69999 bytes, but the line says 70000")
        #expect(truncate(path, 70_001) == 0)
        try await expect(folder, "line \(line): contents/file-000002 has 70001 bytes, but the line says 70000")
        unlink(path)
        try await expect(folder, "line \(line): cannot examine \(folder.file("contents"))/file-000002")
    }

    @Test func `nothing is read through a link, and nothing but files in the folder of contents`() async throws {
        let directory = try TemporaryDirectory()
        let outside = try directory.write([UInt8](repeating: 7, count: 70_000), to: "outside")
        let folder = try LinesFolder(at: directory.file("lines"))
        let path = folder.file("contents/file-000002")
        unlink(path)
        #expect(symlink(outside, path) == 0)
        try await expect(folder, "contents/file-000002 is a link")
        unlink(path)
        #expect(mkfifo(path, 0o600) == 0)
        try await expect(folder, "contents/file-000002 is neither file nor folder")
        unlink(path)
        #expect(mkdir(path, 0o700) == 0)
        try await expect(folder, "contents/file-000002 is a folder")
        let index = try folder.index(of: "file") { $0["content_file"] == "contents/file-000002" }
        for name in [
            "../outside", outside, "contents/../../outside", "contents/.hidden", "contents/..", "contents/", "contents",
            "contents/a/b", "contents/a b", "contents/é", "contents/" + String(repeating: "a", count: 256), "",
        ] {
            try folder.write(changing: index) { $0["content_file"] = .text(name) }
            try await expect(folder, "line \(index + 1): the field 'content_file' must be contents/ and a name")
        }
        try folder.write(folder.lines)
        #expect(rename(folder.file("contents"), directory.file("elsewhere")) == 0)
        #expect(symlink(directory.file("elsewhere"), folder.file("contents")) == 0)
        try await expect(folder, "contents is a link")
        #expect(rename(folder.file("archive.jsonl"), directory.file("lines.jsonl")) == 0)
        #expect(symlink(directory.file("lines.jsonl"), folder.file("archive.jsonl")) == 0)
        try await expect(folder, "archive.jsonl is a link", status: 66)
    }
}
