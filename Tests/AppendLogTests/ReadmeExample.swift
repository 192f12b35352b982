import AppendLog
import GhostTestSupport
import StoreClient
import Testing

// The README's example, copied line by line. `ReadmeSwiftTests` compares the two.

struct Event: Codable, Sendable { var text: String }

@Suite(.timeLimit(.minutes(1))) struct AppendLogReadmeTests {
    @Test func `the README's example stores the messages that it appends`() async throws {
        try await withDaemonAndClient { _, store in
            let events = try await AppendLog<Event>(
                client: store, name: "events", maximumBytes: 1_048_576, shouldOverwriteOldMessages: true)
            try await events.append(message: Event(text: "started"))
            let kept = try await events.messages()
            #expect(kept.map(\.text) == ["started"])
        }
    }
}
