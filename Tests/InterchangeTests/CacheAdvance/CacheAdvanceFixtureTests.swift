import Foundation
import Interchange
import Testing

/// Reads files that the original library wrote. Each has its messages in a JSON file beside it.
@Suite struct CacheAdvanceFixtureTests {
    static let names = ["bounded", "empty", "wrapped"]

    private struct Message: Codable, Equatable {
        var sequence: Int
        var text: String
    }

    private static func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/cacheadvance")
        return [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    @Test(arguments: names) func `a file has the messages of its JSON file, oldest first`(name: String) throws {
        let file = try CacheAdvanceFile(parsing: try Self.fixture("\(name).cache"))
        let expected = try JSONDecoder().decode([Message].self, from: Data(try Self.fixture("\(name).json")))
        let messages = try file.messages.map { try JSONDecoder().decode(Message.self, from: Data($0)) }
        #expect(messages == expected)
        #expect(file.configuration.maximumBytes == 5_000)
        #expect(file.configuration.overwritesOldest == (name != "bounded"))
    }

    @Test(arguments: ["bounded", "empty"])
    func `a file without overwritten messages is rewritten byte for byte`(name: String) throws {
        let original = try Self.fixture("\(name).cache")
        let parsed = try CacheAdvanceFile(parsing: original)
        var rewritten = CacheAdvanceFile(parsed.configuration)
        for message in parsed.messages {
            guard case .fits = rewritten.append(message) else {
                Issue.record("a message of the original does not fit")
                return
            }
        }
        #expect(rewritten.bytes == original)
    }

    @Test func `a wrapped file to which we append stays readable and keeps its newest messages in order`() throws {
        var file = try CacheAdvanceFile(parsing: try Self.fixture("wrapped.cache"))
        var expected = file.messages
        for number in 0..<500 {
            let message = [UInt8](repeating: UInt8(number % 251), count: 1 + number * 7 % 300)
            guard case .fits = file.append(message) else {
                Issue.record("an overwriting file takes every message that fits an empty one")
                return
            }
            expected.append(message)
            let reread = try CacheAdvanceFile(parsing: file.bytes)
            #expect(reread == file)
            #expect(file.messages == expected.suffix(file.messageCount))
            #expect(file.bytes.count <= 5_000)
        }
    }

    @Test func `the messages of a wrapped file fit into a new file of the same size`() throws {
        let wrapped = try CacheAdvanceFile(parsing: try Self.fixture("wrapped.cache"))
        var fresh = CacheAdvanceFile(wrapped.configuration)
        for message in wrapped.messages {
            fresh.append(message)
        }
        #expect(fresh.messages == wrapped.messages)
    }
}
