import FoundationEssentials
import StoreBasics

/// One scenario of proto-docs/vectors/frames, in the form that proto-docs/VECTORS.md describes.
struct Vector: CustomStringConvertible, Sendable {
    enum Store: String, Sendable {
        case absent, locked, open
    }

    enum Step: Sendable {
        case send([UInt8])
        case halfClose
        case expectFrame([UInt8])
        case expectResult(String, id: UInt64, more: Bool)
        case expectError(String, id: UInt64)
        case expectClose
    }

    struct Malformed: Error {
        let name: String
        let line: String
    }

    let name: String
    let store: Store
    let steps: [Step]

    var description: String {
        name
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "proto-docs/vectors/frames")

    /// Returns every scenario, ordered by name.
    static func all() throws -> [Vector] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }.sorted().map {
            try Vector(
                name: $0, text: String(decoding: try Data(contentsOf: folder.appending(path: $0)), as: UTF8.self))
        }
    }

    init(name: String, text: String) throws {
        var store: Store?
        var steps: [Step] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            let rest = words.dropFirst().joined(separator: " ")
            switch words[0] {
            case "store:":
                store = Store(rawValue: rest)
            case "send:":
                steps.append(.send(try Self.bytes(words.dropFirst(), name, line)))
            case "half-close":
                steps.append(.halfClose)
            case "expect:":
                steps.append(try Self.expectation(Array(words.dropFirst()), name, line))
            default:
                throw Malformed(name: name, line: String(line))
            }
        }
        guard let store else { throw Malformed(name: name, line: "no line 'store:'") }
        self.name = name
        self.store = store
        self.steps = steps
    }

    private static func expectation(_ words: [Substring], _ name: String, _ line: Substring) throws -> Step {
        let malformed = Malformed(name: name, line: String(line))
        guard let kind = words.first else { throw malformed }
        if kind == "close", words.count == 1 {
            return .expectClose
        }
        if kind == "frame" {
            return .expectFrame(try bytes(words.dropFirst(), name, line))
        }
        guard words.count == 3, words[2].hasPrefix("id="), let id = UInt64(words[2].dropFirst(3)) else {
            throw malformed
        }
        switch kind {
        case "result": return .expectResult(String(words[1]), id: id, more: false)
        case "more": return .expectResult(String(words[1]), id: id, more: true)
        case "error": return .expectError(String(words[1]), id: id)
        default: throw malformed
        }
    }

    private static func bytes(_ words: ArraySlice<Substring>, _ name: String, _ line: Substring) throws -> [UInt8] {
        guard let bytes = Hexadecimal.decode(words.joined()) else {
            throw Malformed(name: name, line: String(line.prefix(80)))
        }
        return bytes
    }
}
