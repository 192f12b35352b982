import FoundationEssentials
import StoreEngine
import StoreProtocol
import TestBasics
import Testing

@testable import StoreServer

/// Tests that a user's idempotency key belongs to one request: one call with one content.
@Suite struct IdempotencyTests {
    /// The part of every response that marks a repetition.
    private static let replayed = "\"is_replayed\":true"

    @Test func `every call that writes is in the list`() {
        // `finishFileWrite` needs an open write in pieces. FileWriteCallTests covers it.
        let writes = Set(CallKind.allCases.filter { $0.rule.acceptsIdempotencyKey }).subtracting([.finishFileWrite])
        #expect(Set(EveryWrite.calls.compactMap(EveryWrite.kind)) == writes)
    }

    @Test func `a repeated request has no effect, and its response is marked as a repetition`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            for (number, call) in EveryWrite.calls.enumerated() {
                let keyed = "key=operation-\(number) \(call)"
                let first = try Scenario.json(try Scenario.call(keyed, on: connection))
                #expect(!first.contains(Self.replayed) && !first.contains("\"error\""), "\(first)")
                let revision = try server.engine.statistics().revision
                let again = try Scenario.json(try Scenario.call(keyed, on: connection))
                #expect(again.contains(Self.replayed), "\(call): \(again)")
                #expect(try server.engine.statistics().revision == revision)
            }
        }
    }

    @Test func `a key is rejected for any other request`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            for (number, call) in EveryWrite.calls.enumerated().dropLast() {
                _ = try Scenario.call("key=operation-\(number) \(call)", on: connection)
                let revision = try server.engine.statistics().revision
                for other in EveryWrite.calls where other != call {
                    let answer = try Scenario.call("key=operation-\(number) \(other)", on: connection)
                    #expect(answer.error.reason == "IDEMPOTENCY_KEY_REUSED", "\(call), then \(other): \(answer)")
                }
                #expect(try server.engine.statistics().revision == revision)
            }
        }
    }

    /// Pairs of requests with the same call about the same entity, but with different content. A comparison without the
    /// content would take them for equal.
    @Test(arguments: [
        (
            #"save_message {"message": {"id": "m", "conversation": {"session_id": "a"}, "text": "one"}}"#,
            #"save_message {"message": {"id": "m", "conversation": {"session_id": "a"}, "text": "two"}}"#
        ),
        (
            #"update_conversation {"conversation": {"session_id": "a"}, "is_pinned": true}"#,
            #"update_conversation {"conversation": {"session_id": "a"}, "is_muted": true}"#
        ),
        (
            #"set_scene_values {"scene": "s", "changes": [{"key": "k", "value": {"integer": "1"}}]}"#,
            #"set_scene_values {"scene": "s", "changes": [{"key": "k"}]}"#
        ),
        (
            #"append_log {"name": "l", "messages": ["AQID"]}"#, #"append_log {"name": "l", "messages": ["AQIE"]}"#
        ),
        (
            #"append_log {"name": "l", "messages": ["AQID"], "metadata": [{"data": "AQ=="}]}"#,
            #"append_log {"name": "l", "messages": ["AQID"], "metadata": [{"data": "Ag=="}]}"#
        ),
        (#"edit_message {"id": "m", "text": "three"}"#, #"edit_message {"id": "m", "text": "four"}"#),
        (#"save_contact {"session_id": "b", "notes": "n"}"#, #"save_contact {"session_id": "b", "notes": "o"}"#),
        (
            #"get_or_create_conversation {"session_id": "a"}"#,
            #"get_or_create_conversation {"session_id": "a", "id": "x"}"#
        ),
        (#"open_log {"name": "l", "maximum_bytes": "100"}"#, #"open_log {"name": "l", "maximum_bytes": "101"}"#),
        (#"delete_messages {"ids": ["m", "n"]}"#, #"delete_messages {"ids": ["n", "m"]}"#),
    ])
    func `the same call with other content counts as another request`(first: String, second: String) async throws {
        let scenario = Scenario(
            "other content",
            #"""
            get_or_create_conversation {"session_id": "a"}
            save_messages {"messages": [{"id": "m", "conversation": {"session_id": "a"}}, {"id": "n",
                "conversation": {"session_id": "a"}}]}
            open_log {"name": "l", "maximum_bytes": "1000"}
            key=used-once \#(first)
            key=used-once \#(second)
            -> IDEMPOTENCY_KEY_REUSED
            key=used-once \#(first)
            """#)
        try await RunningServer.with { try scenario.run(on: $0.connect()) }
    }
}
