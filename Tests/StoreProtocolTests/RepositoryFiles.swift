import FoundationEssentials

/// Files of the repository that tests compare with the code.
enum RepositoryFiles {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// Returns the text of all .proto files, joined.
    static func protoText() throws -> String {
        let folder = "proto-docs/ghoststore/v1"
        let names = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
        return try names.sorted().map { try text("\(folder)/\($0)") }.joined(separator: "\n")
    }

    /// Returns the calls of `Request.call`, or the results of `Response.result`: type, name and number.
    static func calls(in proto: String, of choice: String = "call") -> [(type: String, name: String, number: UInt32)] {
        guard let start = proto.firstRange(of: "oneof \(choice) {"),
            let end = proto[start.upperBound...].firstRange(of: "}")
        else { return [] }
        return proto[start.upperBound..<end.lowerBound].split(separator: "\n").compactMap { line in
            let words = line.split(whereSeparator: { " =;".contains($0) })
            guard words.count == 3, let number = UInt32(words[2]) else { return nil }
            return (String(words[0]), String(words[1]), number)
        }
    }

    /// Returns the bodies of all messages by name.
    static func messages(in proto: String) -> [String: String] {
        var messages: [String: String] = [:]
        var rest = proto[...]
        while let start = rest.firstRange(of: "\nmessage ") {
            rest = rest[start.upperBound...]
            guard let brace = rest.firstIndex(of: "{"), let end = rest.firstRange(of: "}") else { break }
            let name = rest[..<brace].split(separator: " ").joined()
            messages[name] = String(rest[rest.index(after: brace)..<end.lowerBound])
        }
        return messages
    }
}
