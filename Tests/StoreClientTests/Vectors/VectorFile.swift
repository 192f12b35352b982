import FoundationEssentials
import GhostTestSupport
import StoreBasics

/// One scenario of proto-docs/vectors/frames, parsed as proto-docs/VECTORS.md describes.
struct VectorFile: CustomStringConvertible, Sendable {
    enum Expectation: Hashable, Sendable {
        case frame([UInt8])
        case result(name: String, id: UInt64, isFinal: Bool)
        case error(reason: String, id: UInt64)
        case close
    }

    enum Step: Hashable, Sendable {
        case send([UInt8])
        case halfClose
        case expect(Expectation)
    }

    let description: String
    /// The state of the store that the scenario needs: absent, locked or open.
    let store: String
    let steps: [Step]

    static func all() throws -> [VectorFile] {
        let folder = "\(BuiltPrograms.packageDirectory)/proto-docs/vectors/frames"
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }.sorted()
            .map { name in
                let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
                return try VectorFile(name: name, text: String(decoding: data, as: UTF8.self))
            }
    }

    init(name: String, text: String) throws {
        var store: String?
        var steps: [Step] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ").map(String.init)
            let rest = Array(words.dropFirst())
            switch words.first {
            case "store:" where ["absent", "locked", "open"].contains(rest): store = rest.first
            case "send:": steps.append(.send(try Self.bytes(rest)))
            case "half-close" where rest.isEmpty: steps.append(.halfClose)
            case "expect:": steps.append(.expect(try Self.expectation(rest)))
            default: throw TestSupportError("\(name): unknown line: \(line.prefix(80))")
            }
        }
        guard let store else { throw TestSupportError("\(name) does not say what the store is") }
        description = name
        self.store = store
        self.steps = steps
    }

    private static func expectation(_ words: [String]) throws -> Expectation {
        if words == ["close"] {
            return .close
        }
        if words.first == "frame" {
            return .frame(try bytes(Array(words.dropFirst())))
        }
        guard words.count == 3, words[2].hasPrefix("id="), let id = UInt64(words[2].dropFirst(3)) else {
            throw TestSupportError("unknown expectation: \(words)")
        }
        switch words[0] {
        case "result": return .result(name: words[1], id: id, isFinal: true)
        case "more": return .result(name: words[1], id: id, isFinal: false)
        case "error": return .error(reason: words[1], id: id)
        default: throw TestSupportError("unknown expectation: \(words)")
        }
    }

    private static func bytes(_ words: [String]) throws -> [UInt8] {
        guard let bytes = Hexadecimal.decode(words.joined()) else {
            throw TestSupportError("not whole pairs of hexadecimal digits")
        }
        return bytes
    }
}

extension [String] {
    fileprivate func contains(_ words: [String]) -> Bool {
        words.count == 1 && contains(words[0])
    }
}
