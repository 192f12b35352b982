import StoreEngine
import StoreProtocol
import TestBasics
import Testing

@testable import StoreServer

/// Tests that a write which would change nothing has no effect: it creates no revision and no change.
@Suite struct NoOpTests {
    @Test func `a repeated write creates no revision and no change, and counts nothing`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            for call in EveryWrite.calls {
                let first = try Scenario.call(call, on: connection)
                #expect(first.error.reason.isEmpty, "\(call): \(first)")
                let before = try server.engine.statistics()
                let second = try Scenario.call(call, on: connection)
                guard ![.appendLog, .appendFile].contains(EveryWrite.kind(call)) else { continue }
                let commit = second.commit
                #expect(commit.createdCount + commit.updatedCount + commit.deletedCount == 0, "\(call): \(second)")
                #expect(try server.engine.statistics() == before, "\(call)")
            }
        }
    }

    static let scenarios = [
        Scenario(
            "a conversation's times and avatar stay",
            #"""
            get_or_create_conversation {"session_id": "a", "display_name": "A"}
            update_conversation {"conversation": {"session_id": "a"}, "avatar": "AQID"}
            -> commit "revision":"2" "updated_count":1
            update_conversation {"conversation": {"session_id": "a"}, "avatar": "AQID", "display_name": "A",
                "is_pinned": false}
            -> commit "revision":"2" !updated_count
            update_conversation {"conversation": {"session_id": "a"}, "avatar": "AQID", "display_name": "B",
                "is_pinned": false}
            -> commit "revision":"3" "updated_count":1
            update_conversation {"conversation": {"session_id": "a"}, "avatar": "", "display_name": ""}
            -> commit "revision":"4" "updated_count":1
            update_conversation {"conversation": {"session_id": "a"}, "avatar": "", "display_name": ""}
            -> commit "revision":"4" !updated_count
            update_conversation {"conversation": {"session_id": "a"}}
            -> commit "revision":"4" !updated_count
            """#),
        Scenario(
            "a contact that is saved without a field is made once and then left alone",
            #"""
            save_contact {"session_id": "a"}
            -> commit "revision":"1" "created_count":1
            save_contact {"session_id": "a"}
            -> commit "revision":"1" !_count "ids":
            save_contact {"session_id": "a", "is_blocked": false, "notes": "", "display_name": "", "avatar": ""}
            -> commit "revision":"1" !_count
            set_contact_blocked {"session_id": "a", "is_blocked": false}
            -> commit "revision":"1" !_count
            set_contact_blocked {"session_id": "a", "is_blocked": true}
            -> commit "revision":"2" "updated_count":1
            """#),
        Scenario(
            "an edit to the text that is there, at the time that is there or at none",
            #"""
            save_message {"message": {"id": "m", "conversation": {"session_id": "a"}, "text": "t"}}
            edit_message {"id": "m", "text": "t"}
            -> commit "revision":"2" !_count "ids":["m"]
            get_message {"id": "m"}
            -> message !edited_at
            edit_message {"id": "m", "text": "t", "edited_at_microseconds": "7"}
            -> commit "revision":"3" "updated_count":1
            edit_message {"id": "m", "text": "t", "edited_at_microseconds": "7"}
            -> commit "revision":"3" !_count
            edit_message {"id": "m", "text": "t"}
            -> commit "revision":"3" !_count
            get_message {"id": "m"}
            -> message "edited_at_microseconds":"7"
            edit_message {"id": "m", "text": "u", "edited_at_microseconds": "7"}
            -> commit "revision":"4" "updated_count":1
            """#),
        Scenario(
            "a draft that is there already, an empty one where there is none, and one that is cleared twice",
            #"""
            save_draft {"conversation": {"session_id": "a"}}
            -> commit !revision !_count !ids
            save_draft {"conversation": {"session_id": "a"}, "text": "t"}
            -> commit "revision":"2" "created_count":1
            save_draft {"conversation": {"session_id": "a"}, "text": "t", "attachment_url": ""}
            -> commit "revision":"2" !_count "ids":
            save_draft {"conversation": {"session_id": "a"}, "attachment_url": "u"}
            -> commit "revision":"3" "updated_count":1
            get_draft {"conversation": {"session_id": "a"}}
            -> draft "attachment_url":"u" "revision":"3" !"text"
            save_message {"message": {"id": "m", "conversation": {"session_id": "a"}}, "clear_draft": true}
            -> commit "revision":"5" "created_count":1 !deleted_count
            save_message {"message": {"id": "m", "conversation": {"session_id": "a"}}, "clear_draft": true}
            -> commit "revision":"5" !_count
            delete_draft {"conversation": {"session_id": "a"}}
            -> commit "revision":"5" !_count "ids":
            get_draft {"conversation": {"session_id": "a"}}
            -> draft !conversation_id
            """#),
        Scenario(
            "a reaction that is there already, and one that is not",
            #"""
            save_message {"message": {"id": "m", "conversation": {"session_id": "a"}}}
            add_reaction {"message_id": "m", "emoji": "👍", "author_session_id": "b"}
            -> commit "revision":"3" "created_count":1 "ids":["m"]
            add_reaction {"message_id": "m", "emoji": "👍", "author_session_id": "b"}
            -> commit "revision":"3" !_count "ids":["m"]
            remove_reaction {"message_id": "m", "emoji": "👍", "author_session_id": "c"}
            -> commit "revision":"3" !_count "ids":["m"]
            save_message {"message": {"id": "m", "conversation": {"session_id": "a"}}}
            -> commit "revision":"3" !_count
            get_message {"id": "m"}
            -> message "reactions":[{"emoji":"👍","count":1}]
            remove_reaction {"message_id": "m", "emoji": "👍", "author_session_id": "b"}
            -> commit "revision":"4" "deleted_count":1
            remove_reaction {"message_id": "m", "emoji": "👍", "author_session_id": "b"}
            -> commit "revision":"4" !_count
            get_message {"id": "m"}
            -> message !reactions
            """#),
        Scenario(
            "a file with the bytes that it has, and what is put where it is",
            #"""
            save_file {"path": {"area": 2, "path": "f"}, "data": "AQID"}
            -> commit "revision":"2" "created_count":2 "ids":["document/f"]
            save_file {"path": {"area": 2, "path": "/f/"}, "data": "AQID"}
            -> commit "revision":"2" !_count "ids":["document/f"]
            append_file {"path": {"area": 2, "path": "f"}}
            -> commit "revision":"2" !_count "ids":["document/f"]
            copy_file {"origin": {"area": 2, "path": "f"}, "place": {"area": 2, "path": "g"}}
            -> commit "revision":"3" "created_count":1 "ids":["document/g"]
            copy_file {"origin": {"area": 2, "path": "f"}, "place": {"area": 2, "path": "g"}}
            -> commit "revision":"3" !_count "ids":["document/g"]
            move_file {"origin": {"area": 2, "path": "f"}, "place": {"area": 2, "path": "f"}}
            -> commit "revision":"3" !_count "ids":["document/f"]
            remove_directory {"path": {"area": 1}, "with_children": true}
            -> commit "revision":"3" !_count "ids":["cache"]
            save_file {"path": {"area": 2, "path": "f"}, "data": "AQIE"}
            -> commit "revision":"4" "updated_count":1
            """#),
        Scenario(
            "a store that holds nothing is cleared once",
            #"""
            clear_all_data {"confirmation": "clear all data"}
            -> commit !revision !_count
            save_contact {"session_id": "a"}
            delete_contact {"session_id": "a"}
            clear_all_data {"confirmation": "clear all data"}
            -> commit "revision":"3" !_count
            clear_all_data {"confirmation": "clear all data"}
            -> commit "revision":"3" !_count
            """#),
    ]

    @Test(arguments: scenarios)
    func `existing data is not written again`(scenario: Scenario) async throws {
        try await RunningServer.with { try scenario.run(on: $0.connect()) }
    }

    @Test func `updated_at stays the same if nothing changes`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let (pin, block) = (
                #"update_conversation {"conversation": {"session_id": "a"}, "is_pinned": true}"#,
                #"set_contact_blocked {"session_id": "a", "is_blocked": true}"#
            )
            var seen: [[String]] = []
            for call in [#"get_or_create_conversation {"session_id": "a"}"#, pin, block, pin, block] {
                _ = try Scenario.call(call, on: connection)
                let conversation = try Scenario.call(
                    #"get_conversation {"conversation": {"session_id": "a"}}"#, on: connection)
                let contact = try Scenario.call(#"get_contact {"session_id": "a"}"#, on: connection)
                seen.append([try Scenario.json(conversation), try Scenario.json(contact)])
            }
            #expect(seen[2] == seen[3] && seen[3] == seen[4] && seen[1] != seen[2])
        }
    }
}
