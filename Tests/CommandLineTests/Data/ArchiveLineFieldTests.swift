import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// Compares the fields of the records in archives.proto with the fields that the program reads from lines.
@Suite struct ArchiveLineFieldTests {
    /// The path to an object or a value in a line: field names, and 0 for the first element of an array.
    private typealias Path = [String]

    /// Returns the sample with the additional records that only an archive of changes has.
    private static func folder(_ directory: TemporaryDirectory) throws -> LinesFolder {
        var folder = try LinesFolder(at: directory.file("lines"))
        folder.makeOfChanges()
        try folder.write(folder.lines)
        return folder
    }

    /// Returns the JSON names of all fields of the messages that archives contain.
    private static func fieldsOfRecords() throws -> Set<String> {
        let folder = "\(BuiltPrograms.packageDirectory)/proto-docs/ghoststore/v1"
        var names: Set<String> = []
        for (file, messages) in [
            ("archives.proto", /message Archive(?:d\w+|Record|Header|Footer|Counts) \{/),
            ("files.proto", /message FilePath \{/), ("conversations.proto", /message ConversationRetention \{/),
            ("messages.proto", /message MessageTimer \{/),
        ] {
            let content = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
            var isWanted = false
            for line in String(decoding: content, as: UTF8.self).split(separator: "\n") {
                if line.hasPrefix("message ") {
                    isWanted = line.prefixMatch(of: messages) != nil
                }
                if isWanted, let field = line.firstMatch(of: /^ +(?:optional |repeated )?\w+ (\w+) = \d+;/) {
                    names.insert(inCamelCase(String(field.1)))
                }
            }
        }
        return names
    }

    private static func inCamelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Returns the paths to all values of a line.
    private static func paths(_ line: JSON) -> [Path] {
        switch line {
        case .object(let fields):
            fields.flatMap { name, value in [[name]] + paths(value).map { [name] + $0 } }
        case .array(let elements):
            elements.prefix(1).flatMap { [["0"]] + paths($0).map { ["0"] + $0 } }
        case .null, .bool, .integer, .decimal, .text: []
        }
    }

    /// Applies `body` to the value at the end of a path.
    private static func change(_ value: inout JSON, at path: ArraySlice<String>, _ body: (inout JSON) -> Void) {
        guard let name = path.first else { return body(&value) }
        switch value {
        case .array(var elements):
            guard var first = elements.first else { return }
            change(&first, at: path.dropFirst(), body)
            elements[0] = first
            value = .array(elements)
        case .object(var fields):
            guard var field = fields[name] else { return }
            change(&field, at: path.dropFirst(), body)
            fields[name] = field
            value = .object(fields)
        case .null, .bool, .integer, .decimal, .text: break
        }
    }

    /// Writes the folder with one value changed, and expects the program to reject the line with this message.
    private static func expectRefusal(
        _ folder: LinesFolder, _ index: Int, _ path: Path, _ message: String, _ body: (inout JSON) -> Void
    ) async throws {
        var lines = folder.lines
        change(&lines[index], at: path[...], body)
        try folder.write(lines)
        let shown = try await folder.show()
        #expect(
            shown.exitCode == 65 && shown.errorOutput.contains("line \(index + 1): ")
                && shown.errorOutput.contains(message),
            "\(path): \(shown.errorOutput)")
    }

    /// Returns every line that adds new paths, with the paths that no earlier line has.
    private static func examples(_ folder: LinesFolder) -> [(index: Int, paths: [Path])] {
        var seen: Set<Path> = []
        return folder.lines.enumerated().compactMap { index, line in
            let fresh = paths(line).filter { seen.insert($0).inserted }
            return fresh.isEmpty ? nil : (index, fresh)
        }
    }

    @Test func `every field of a record is in the sample`() throws {
        let folder = try Self.folder(try TemporaryDirectory())
        let found = Set(folder.lines.flatMap { Self.paths($0).joined() })
        let wanted = try Self.fieldsOfRecords()
        // Only file pieces are missing from the lines, because the bytes of contents are in separate files.
        #expect(wanted.count > 60 && wanted.subtracting(found) == ["filePiece"])
    }

    @Test func `an unknown field is rejected with its name, in every object`() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let folder = try Self.folder(directory)
        #expect(try await folder.show().exitCode == 0)
        for (index, paths) in Self.examples(folder) {
            for path in [[]] + paths where path != ["contentFile"] {
                var isObject = false
                var line = folder.lines[index]
                Self.change(&line, at: path[...]) { if case .object = $0 { isObject = true } }
                guard isObject else { continue }
                try await Self.expectRefusal(folder, index, path, "there is no field 'noSuchField'") {
                    $0.change { $0["noSuchField"] = 1 }
                }
            }
        }
    }

    @Test func `a value of the wrong type is rejected, in every field`() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let folder = try Self.folder(directory)
        for (index, paths) in Self.examples(folder) {
            for path in paths {
                try await Self.expectRefusal(folder, index, path, "not the protobuf JSON of a ") {
                    if case .bool = $0 { $0 = 7 } else { $0 = true }
                }
            }
        }
    }
}
