import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// Checks the error messages for invalid folders of JSON Lines, without a daemon.
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
        ("{", "line 4: not the protobuf JSON of a ghoststore.v1.ArchiveRecord: "), ("[]", "the text is malformed"),
        ("{} x", "more text follows the end"), ("{}", "line 4: the record has no kind"),
        (#"{"person": {}}"#, "there is no field 'person'"),
        (#"{"contact": {"id": "x", "no-such-field": "y"}}"#, "there is no field 'no-such-field'"),
        (#"{"message": {"attachments": [{"no-such-field": "y"}]}}"#, "there is no field 'no-such-field'"),
        (#"{"contact": {}, "draft": {}}"#, "two kinds of record"),
        (#"{"contact": {}, "contact": {}}"#, "two kinds of record"),
        (#"{"log": {"name": "\ud800", "maximumBytes": 1}}"#, "a string is malformed"),
        (#"{"log": {"name": "l", "maximumBytes": -1}}"#, "a number is malformed or out of range"),
        (#"{"log": {"name": "l", "maximumBytes": 1.5}}"#, "a number is malformed or out of range"),
        (#"{"log": {"name": "l", "maximumBytes": "18446744073709551616"}}"#, "a number is malformed or out of range"),
        (#"{"logEntry": {"sequence": "1", "offset": "64", "data": "=A"}}"#, "the text is malformed"),
        (#"{"message": {"id": "m", "status": "SENT"}}"#, "a word is not one of the values that its field accepts"),
        (
            #"{"directory": {"path": {"area": "etc", "path": "x"}}}"#,
            "a word is not one of the values that its field accepts"
        ),
        (#"{"reaction": {"authorSessionId": "a", "emoji": "👍"}}"#, "line 4: a reaction does not follow its message"),
        (#"{"footer": {"counts": {"people": 1}}}"#, "there is no field 'people'"),
        (#"{"footer": {"counts": {}}}"#, "line 4: the footer says 0 contacts, but there are 1"),
        (#"{"filePiece": "AAAA"}"#, "line 4: a line cannot be a filePiece"),
        (#"{"file": {"path": {"area": "FILE_AREA_CACHE", "path": "x"}}}"#, "the field 'contentFile' is missing"),
        (#"{"contact": {"id": "x"}, "contentFile": "contents/x"}"#, "line 4: only the records of files and contents"),
    ])
    func `an invalid line is reported with its number`(line: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        let folder = try LinesFolder(at: directory.file("lines"))
        var lines = folder.lines.map { String(decoding: (try? JSONEncoder().encode($0)) ?? Data(), as: UTF8.self) }
        lines.insert(line, at: 3)
        try folder.write(lines)
        try await expect(folder, message)
        try await expect(folder, "/archive.jsonl: line 4: ")
    }

    @Test func `a line that is not UTF-8 is reported with its number`() async throws {
        let directory = try TemporaryDirectory()
        let folder = try LinesFolder(at: directory.file("lines"))
        try Data([0x0A, 0xFF, 0x0A]).write(to: URL(filePath: folder.file("archive.jsonl")))
        try await expect(folder, "line 2: the line is not UTF-8")
    }

    @Test func `lines without a footer, or with a record after the footer, are rejected`() async throws {
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

    @Test func `a content that is missing, shorter or longer is reported with its line`() async throws {
        let directory = try TemporaryDirectory()
        let folder = try LinesFolder(at: directory.file("lines"))
        let path = folder.file("contents/file-000002")
        let line = try folder.index(of: "file") { $0["contentFile"] == "contents/file-000002" } + 1
        #expect(truncate(path, 69_999) == 0)
        try await expect(folder, "line \(line): contents/file-000002 has 69999 bytes, but the line says 70000")
        #expect(truncate(path, 70_001) == 0)
        try await expect(folder, "line \(line): contents/file-000002 has 70001 bytes, but the line says 70000")
        unlink(path)
        try await expect(folder, "line \(line): cannot examine \(folder.file("contents"))/file-000002")
    }

    @Test func `a content that is a link, a pipe or a folder is rejected`() async throws {
        let directory = try TemporaryDirectory()
        let outside = try directory.write([UInt8](repeating: 7, count: 70_000), to: "outside")
        let folder = try LinesFolder(at: directory.file("lines"))
        let path = folder.file("contents/file-000002")
        unlink(path)
        #expect(symlink(outside, path) == 0)
        try await expect(folder, "contents/file-000002 is a link")
        unlink(path)
        #expect(mkfifo(path, 0o600) == 0)
        try await expect(folder, "contents/file-000002 is neither a file nor a directory")
        unlink(path)
        #expect(mkdir(path, 0o700) == 0)
        try await expect(folder, "contents/file-000002 is a folder")
        let index = try folder.index(of: "file") { $0["contentFile"] == "contents/file-000002" }
        for name in [
            "../outside", outside, "contents/../../outside", "contents/.hidden", "contents/..", "contents/", "contents",
            "contents/a/b", "contents/a b", "contents/é", "contents/" + String(repeating: "a", count: 256),
        ] {
            try folder.write(changing: index) { $0["contentFile"] = .text(name) }
            try await expect(folder, "line \(index + 1): the field 'contentFile' must be contents/ and a name")
        }
        try folder.write(changing: index) { $0["contentFile"] = "" }
        try await expect(folder, "line \(index + 1): the field 'contentFile' is missing")
        try folder.write(folder.lines)
        #expect(rename(folder.file("contents"), directory.file("elsewhere")) == 0)
        #expect(symlink(directory.file("elsewhere"), folder.file("contents")) == 0)
        try await expect(folder, "contents is a link")
        #expect(rename(folder.file("archive.jsonl"), directory.file("lines.jsonl")) == 0)
        #expect(symlink(directory.file("lines.jsonl"), folder.file("archive.jsonl")) == 0)
        try await expect(folder, "archive.jsonl is a link", status: 66)
    }
}
