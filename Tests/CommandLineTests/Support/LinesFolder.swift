import FoundationEssentials
import GhostTestSupport
import TestBasics

/// A copy of the documented folder of JSON Lines, to be changed.
struct LinesFolder {
    static let sample = "\(BuiltPrograms.packageDirectory)/proto-docs/vectors/archives/lines"

    let path: String
    var lines: [JSON]

    /// - Parameter path: of a folder that is made, and that all edits are written to.
    init(at path: String) throws {
        self.path = path
        lines = try Self.lines(of: Self.sample)
        try FileManager.default.copyItem(atPath: Self.sample, toPath: path)
    }

    static func lines(of folder: String) throws -> [JSON] {
        guard let content = FileManager.default.contents(atPath: folder + "/archive.jsonl") else {
            throw TestSupportError("\(folder) has no lines")
        }
        return try JSON.lines(String(decoding: content, as: UTF8.self))
    }

    func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Of the first line of the kind, from 0.
    func index(of kind: String, where isWanted: (JSON) -> Bool = { _ in true }) throws -> Int {
        guard let index = lines.firstIndex(where: { $0["record"]?.text == kind && isWanted($0) }) else {
            throw TestSupportError("the sample has no such \(kind)")
        }
        return index
    }

    /// Writes the lines with one of them changed.
    func write(changing index: Int, _ change: (inout [String: JSON]) -> Void) throws {
        var lines = lines
        if case .object(var fields) = lines[index] {
            change(&fields)
            lines[index] = .object(fields)
        }
        try write(lines)
    }

    func write(_ lines: [JSON]) throws {
        try write(lines.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) })
    }

    func write(_ lines: [String]) throws {
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: file("archive.jsonl")))
    }

    /// What the program says of the folder, without a daemon.
    func show() async throws -> ProgramResult {
        try await Control.run(["archive", "show", path])
    }
}

extension LinesFolder {
    /// Adds what the sample of a whole archive lacks: a removal, when things were changed, and since when.
    mutating func makeOfChanges() {
        let removal: JSON = .object([
            "record": "removal", "kind": "scene-value", "id": "key", "parent_id": "scene",
            "removed_at_microseconds": 1,
        ])
        lines = lines.map { line in
            guard case .object(var fields) = line else { return line }
            switch line["record"]?.text {
            case "header": fields["since_revision"] = 7
            case "footer":
                if case .object(var counts)? = fields["counts"] {
                    counts["removals"] = 1
                    fields["counts"] = .object(counts)
                }
            default: fields["changed_at_microseconds"] = 9
            }
            if line["record"]?.text == "log" {
                fields["oldest_sequence"] = 7
                fields["is_replicated"] = true
            }
            return .object(fields)
        }
        lines.insert(removal, at: lines.count - 1)
    }
}
