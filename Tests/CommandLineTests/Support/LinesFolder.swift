import FoundationEssentials
import GhostTestSupport
import TestBasics

/// A copy of the documented folder of JSON Lines that tests can change.
struct LinesFolder {
    static let sample = "\(BuiltPrograms.packageDirectory)/proto-docs/vectors/archives/lines"

    let path: String
    var lines: [JSON]

    /// - Parameter path: a folder that is created and that all changes are written to.
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

    /// Returns the index of the first line that has a record of this kind.
    func index(of kind: String, where isWanted: (JSON) -> Bool = { _ in true }) throws -> Int {
        guard let index = lines.firstIndex(where: { $0[kind] != nil && isWanted($0) }) else {
            throw TestSupportError("the sample has no such \(kind)")
        }
        return index
    }

    /// Writes all lines to the folder. The change applies only to the written copy of the line at `index`.
    func write(changing index: Int, _ change: (inout [String: JSON]) -> Void) throws {
        var lines = lines
        lines[index].change(change)
        try write(lines)
    }

    /// Writes all lines to the folder. The change applies only to the written copy of the record in the line at
    /// `index`.
    func write(changingRecordAt index: Int, _ change: (inout [String: JSON]) -> Void) throws {
        try write(changing: index) { fields in
            for kind in Self.kinds(fields) {
                fields[kind]?.change(change)
            }
        }
    }

    private static func kinds(_ fields: [String: JSON]) -> Set<String> {
        Set(fields.keys).subtracting(["changedAtMicroseconds", "contentFile"])
    }

    func write(_ lines: [JSON]) throws {
        try write(lines.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) })
    }

    func write(_ lines: [String]) throws {
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: file("archive.jsonl")))
    }

    /// Runs `archive show` on the folder, without a daemon.
    func show() async throws -> ProgramResult {
        try await Control.run(["archive", "show", path])
    }
}

extension LinesFolder {
    /// Adds what the sample of a whole archive lacks: a removal, the times of changes, and the revision before the
    /// first change.
    mutating func makeOfChanges() {
        let removal: JSON = .object([
            "removal": .object([
                "kind": "ENTITY_KIND_SCENE_VALUE", "id": "key", "parentId": "scene", "removedAtMicroseconds": "1",
            ])
        ])
        for index in lines.indices {
            lines[index].change { fields in
                if fields["header"] == nil, fields["footer"] == nil {
                    fields["changedAtMicroseconds"] = "9"
                }
                fields["header"]?.change { $0["sinceRevision"] = "7" }
                fields["footer"]?.change { $0["counts"]?.change { $0["removals"] = "1" } }
                fields["log"]?.change {
                    $0["oldestSequence"] = "7"
                    $0["isReplicated"] = true
                }
            }
        }
        lines.insert(removal, at: lines.count - 1)
    }
}

extension JSON {
    /// Changes the fields if the value is an object. Any other value stays unchanged.
    mutating func change(_ change: (inout [String: JSON]) -> Void) {
        if case .object(var fields) = self {
            change(&fields)
            self = .object(fields)
        }
    }
}
