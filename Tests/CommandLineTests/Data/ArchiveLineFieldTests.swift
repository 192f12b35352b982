import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// The fields that proto-docs/ARCHIVE.md tells of JSON Lines, and those that the program knows.
@Suite struct ArchiveLineFieldTests {
    private struct Field {
        let name: String
        let type: String
        let isOptional: Bool
    }

    /// By record, from the document's table; under `attachments` those of an attachment.
    private static func documented() throws -> [String: [Field]] {
        let path = "\(BuiltPrograms.packageDirectory)/proto-docs/ARCHIVE.md"
        let content = FileManager.default.contents(atPath: path) ?? Data()
        let section = String(decoding: content, as: UTF8.self).split(separator: "\n")
            .drop { $0 != "## As JSON Lines" }
        var table: [String: [Field]] = [:]
        for line in section {
            let parts = line.split(separator: "|", maxSplits: 1)
            if line.hasPrefix("| `"), parts.count == 2, let record = line.firstMatch(of: /^\| `([a-z_]+)` \|/) {
                table[String(record.1)] = fields(parts[1])
            }
        }
        let text = section.joined(separator: " ")
        let attachments = text.firstMatch(of: /An object of `attachments` has ([^.]*)\./)
        table["attachments"] = attachments.map { fields($0.1) }
        return table
    }

    private static func fields(_ text: Substring) -> [Field] {
        text.matches(of: /`([a-z_]+)` (text|base64|digits|word|name|integer|count|flag|objects|object|value)(\?)?/)
            .map { Field(name: String($0.1), type: String($0.2), isOptional: $0.3 != nil) }
    }

    /// What the program says where a field holds a number, or a text where it should hold a number.
    private static func refusal(_ type: String) -> String {
        switch type {
        case "text", "base64", "digits", "word", "name": "must be a string"
        case "integer", "count": "must be an integer"
        case "flag": "must be a boolean"
        case "objects": "must be an array of objects"
        case "object": "must be an object"
        default: "a scene's value must be an object with one field"
        }
    }

    private static func wrong(_ type: String) -> JSON {
        ["integer", "count"].contains(type) ? "text" : 7
    }

    /// The sample with what only an archive of changes has.
    private static func folder(_ directory: TemporaryDirectory) throws -> LinesFolder {
        var folder = try LinesFolder(at: directory.file("lines"))
        folder.makeOfChanges()
        try folder.write(folder.lines)
        return folder
    }

    @Test func `the program knows the fields that are documented, and no others`() async throws {
        let directory = try TemporaryDirectory()
        let folder = try Self.folder(directory)
        let table = try Self.documented()
        #expect(table.count == 15)
        for (record, fields) in table where record != "attachments" {
            let extra = ["header", "footer"].contains(record) ? ["record"] : ["record", "changed_at_microseconds"]
            let known = Set(fields.map(\.name) + extra).sorted().joined(separator: ", ")
            let index = try folder.index(of: record)
            try folder.write(changing: index) { $0["no_such_field"] = 1 }
            let shown = try await folder.show()
            #expect(
                shown.exitCode == 65 && shown.errorOutput.contains("line \(index + 1): unknown field 'no_such_field'"))
            #expect(shown.errorOutput.contains("known fields: \(known)\n"), "\(record): \(shown.errorOutput)")
        }
    }

    @Test func `every documented field has the documented type and is wanted where it says so`() async throws {
        let directory = try TemporaryDirectory()
        let folder = try Self.folder(directory)
        #expect(try await folder.show().exitCode == 0)
        for (record, fields) in try Self.documented() where record != "attachments" {
            for field in fields {
                let index = try folder.index(of: record) { $0[field.name] != nil }
                try folder.write(changing: index) { $0[field.name] = Self.wrong(field.type) }
                let wrong = try await folder.show()
                #expect(
                    wrong.exitCode == 65 && wrong.errorOutput.contains("line \(index + 1): ")
                        && wrong.errorOutput.contains(Self.refusal(field.type)),
                    "\(record) \(field.name): \(wrong.errorOutput)")
                try folder.write(changing: index) { $0[field.name] = nil }
                let absent = try await folder.show()
                let isSaid = absent.errorOutput.contains("field '\(field.name)' is missing")
                #expect(isSaid == !field.isOptional, "\(record) \(field.name): \(absent.errorOutput)")
            }
        }
    }

    @Test func `every documented field of an attachment has the documented type`() async throws {
        let directory = try TemporaryDirectory()
        let folder = try Self.folder(directory)
        for field in try #require(try Self.documented()["attachments"]) {
            for (value, isWrong) in [(Self.wrong(field.type), true), (nil, !field.isOptional)] {
                for record in ["message", "draft"] {
                    let index = try folder.index(of: record) { $0["attachments"] != nil }
                    try folder.write(changing: index) { fields in
                        guard case .array(let all)? = fields["attachments"], case .object(var first)? = all.first else {
                            return
                        }
                        first[field.name] = value
                        fields["attachments"] = .array([.object(first)])
                    }
                    let shown = try await folder.show()
                    #expect(shown.exitCode == (isWrong ? 65 : 0), "\(record) \(field.name): \(shown.errorOutput)")
                    #expect(!isWrong || shown.errorOutput.contains("'\(field.name)'"), "\(shown.errorOutput)")
                }
            }
        }
    }
}
