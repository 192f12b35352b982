import AppendLog
import Foundation
import GhostTestSupport
import StoreClient
import Testing

private struct CodedEvent: Codable, Sendable, Equatable {
    var text: String
    var at = Date(timeIntervalSince1970: 1.5)
}

/// An encoder that writes nothing, as an application's own encoder might by mistake.
private struct SilentCoder: MessageEncoder {
    func encode<Value: Encodable>(_ value: Value) throws -> Data { Data() }
}

@Suite(.timeLimit(.minutes(1))) struct CoderTests {
    @Test func `messages are stored in the form that the given encoder writes`() async throws {
        try await withDaemonAndClient { _, client in
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.outputFormatting = .sortedKeys
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            let log = try await AppendLog<CodedEvent>(
                client: client, name: "log", maximumBytes: 10_000, shouldOverwriteOldMessages: true, decoder: decoder,
                encoder: encoder)
            let event = CodedEvent(text: "a", at: Date(timeIntervalSince1970: 0))
            try await log.append(message: event)
            let kept = try await client.logEntries("log").collect()
            #expect(
                kept.map { String(decoding: $0.data, as: UTF8.self) } == [#"{"at":"1970-01-01T00:00:00Z","text":"a"}"#])
            #expect(try await log.messages() == [event])
            for try await followed in log.follow() {
                #expect(followed == event)
                break
            }
        }
    }

    @Test func `messages can be stored as property lists`() async throws {
        try await withDaemonAndClient { _, client in
            let log = try await AppendLog<CodedEvent>(
                client: client, name: "log", maximumBytes: 10_000, shouldOverwriteOldMessages: true,
                decoder: PropertyListDecoder(), encoder: PropertyListEncoder())
            try await log.append(messages: [CodedEvent(text: "a"), CodedEvent(text: "b")])
            #expect(try await log.messages().map(\.text) == ["a", "b"])
        }
    }

    @Test func `a message above messageBytesMax is rejected, even if the log has room`() async throws {
        try await withDaemonAndClient { _, client in
            let log = try await AppendLog<String>(
                client: client, name: "log", maximumBytes: 1 << 30, shouldOverwriteOldMessages: true)
            // JSON adds two quotation marks to a text.
            let most = String(repeating: "x", count: AppendLog<String>.messageBytesMax - 2)
            await #expect(throws: AppendLogError.messageLargerThanCacheCapacity) {
                try await log.append(messages: ["small", most + "x"])
            }
            #expect(try await log.isEmpty())
            try await log.append(message: most)
            #expect(try await log.messages() == [most])
        }
    }

    @Test func `an encoder that writes nothing causes an error, and nothing is appended`() async throws {
        try await withDaemonAndClient { _, client in
            let log = try await AppendLog<CodedEvent>(
                client: client, name: "log", maximumBytes: 10_000, shouldOverwriteOldMessages: true,
                encoder: SilentCoder())
            await #expect(throws: AppendLogError.messageNotEncodable) {
                try await log.append(message: CodedEvent(text: "a"))
            }
            #expect(try await log.isEmpty())
        }
    }
}
