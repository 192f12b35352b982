import StoreProtocol
import TestBasics
import Testing

@testable import StoreServer

/// Tests which calls change the update time of a conversation or contact, and which do not.
@Suite struct UpdatedAtTests {
    private static let ofConversation: [(call: String, moves: Bool)] = [
        (#"save_message {"message": {"id": "m", "conversation": {"session_id": "a"}, "text": "t"}}"#, true),
        (#"save_message {"message": {"id": "n", "conversation": {"session_id": "a"}, "text": "t"}}"#, true),
        (#"save_message {"message": {"id": "m", "conversation": {"session_id": "a"}, "text": "u"}}"#, false),
        (#"edit_message {"id": "m", "text": "v"}"#, false),
        (#"update_message_status {"ids": ["m"], "status": 3}"#, false),
        (#"mark_messages_read {"ids": ["m"]}"#, false),
        (#"mark_conversation_read {"conversation": {"session_id": "a"}}"#, false),
        (
            #"""
            save_message {"message": {"id": "m", "conversation": {"session_id": "a"}, "text": "u",
             "timestamp_microseconds": "5"}}
            """#, true
        ),
        (#"save_message {"message": {"id": "m", "conversation": {"session_id": "b"}}}"#, true),
        (#"save_message {"message": {"id": "m", "conversation": {"session_id": "a"}}}"#, true),
        (#"delete_messages {"ids": ["m"]}"#, true),
        (#"update_conversation {"conversation": {"session_id": "a"}, "is_pinned": true}"#, true),
        (#"update_conversation {"conversation": {"session_id": "a"}, "is_pinned": true}"#, false),
        (#"get_or_create_conversation {"session_id": "a", "display_name": "A"}"#, false),
        (
            #"""
            set_conversation_members {"conversation": {"session_id": "a"}, "members": [{"session_id": "m"}]}
            """#, true
        ),
        (
            #"""
            set_conversation_members {"conversation": {"session_id": "a"}, "members": [{"session_id": "m"}]}
            """#, false
        ),
        (
            #"""
            remove_conversation_members {"conversation": {"session_id": "a"}, "session_ids": ["m"]}
            """#, true
        ),
    ]

    private static let ofContact: [(call: String, moves: Bool)] = [
        (#"save_contact {"session_id": "a", "notes": "n"}"#, true),
        (#"save_contact {"session_id": "a", "notes": "n"}"#, false),
        (#"set_contact_blocked {"session_id": "a", "is_blocked": true}"#, true),
        (#"set_contact_blocked {"session_id": "a", "is_blocked": true}"#, false),
    ]

    @Test func `a conversation's update time changes with its fields and the list of its messages`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            _ = try Scenario.call(#"get_or_create_conversation {"session_id": "a"}"#, on: connection)
            let read = #"get_conversation {"conversation": {"session_id": "a"}}"#
            try Self.check(Self.ofConversation, on: connection) {
                try Scenario.call(read, on: connection).conversation.updatedAtMicroseconds
            }
        }
    }

    @Test func `a contact's update time changes only with the contact`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            _ = try Scenario.call(#"save_contact {"session_id": "a"}"#, on: connection)
            try Self.check(Self.ofContact, on: connection) {
                try Scenario.call(#"get_contact {"session_id": "a"}"#, on: connection).contact.updatedAtMicroseconds
            }
        }
    }

    private static func check(
        _ calls: [(call: String, moves: Bool)], on connection: RawConnection, _ updatedAt: () throws -> Int64
    ) throws {
        var last = try updatedAt()
        #expect(last > 0)
        for (call, moves) in calls {
            for line in Scenario.lines(call) {
                let answer = try Scenario.call(line, on: connection)
                #expect(answer.error.reason.isEmpty, "\(call): \(answer)")
            }
            let now = try updatedAt()
            #expect((now > last) == moves, "\(call)")
            last = now
        }
    }
}
