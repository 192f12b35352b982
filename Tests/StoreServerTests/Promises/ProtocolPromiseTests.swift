import FoundationEssentials
import StoreEngine
import StoreProtocol
import TestBasics
import Testing

@testable import StoreServer

/// Checks the promises of proto-docs on single calls, sentence by sentence. All scenarios use one store, each with its
/// own names.
@Suite struct ProtocolPromiseTests {
    @Test func `promises of the documents about messages, conversations and changes are true`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            // The compaction scenario runs first because it counts revisions.
            for scenario in [Self.compaction] + Self.ofMessages + Self.ofConversations + Self.ofOthers {
                try scenario.run(on: connection)
            }
        }
    }

    private static let compaction = Scenario(
        "a revision beyond the store's stands for the store's",
        #"""
        save_contact {"session_id": "compacted"}
        compact_changes {"through_revision": "5"}
        -> compact_changes "compacted_through_revision":"1"
        save_contact {"session_id": "kept"}
        list_changes {"after_revision": "1"}
        -> changes "revision":"2"
        list_changes {}
        -> CHANGES_COMPACTED
        list_changes {"after_revision": "3"}
        -> REVISION_AHEAD
        """#)

    private static let ofMessages = [
        Scenario(
            "messages of one timestamp stand in the order first saved, whatever happens to them",
            #"""
            save_messages {"messages": [
             {"id": "o1", "conversation": {"session_id": "order"}, "timestamp_microseconds": "5"},
             {"id": "o2", "conversation": {"session_id": "order"}, "timestamp_microseconds": "5"},
             {"id": "o3", "conversation": {"session_id": "order"}, "timestamp_microseconds": "5"}]}
            save_message {"message": {"id": "o1", "conversation": {"session_id": "order"}, "text": "again"}}
            edit_message {"id": "o2", "text": "edited"}
            list_messages {"conversation": {"session_id": "order"}, "limit": 1}
            -> messages "id":"o3" !"o1" !"o2"
            list_messages {"conversation": {"session_id": "order"}, "limit": 1, "order": 2}
            -> messages "id":"o1" !"o2" !"o3"
            get_conversation {"conversation": {"session_id": "order"}}
            -> conversation "last_message":{"id":"o3"
            save_message {"message": {"id": "o1", "conversation": {"session_id": "elsewhere"}}}
            save_message {"message": {"id": "o1", "conversation": {"session_id": "order"}}}
            list_messages {"conversation": {"session_id": "order"}, "limit": 1, "order": 2}
            -> messages "id":"o1" !"o2" !"o3"
            save_message {"message": {"id": "o1", "conversation": {"session_id": "order"},
             "timestamp_microseconds": "6"}}
            get_conversation {"conversation": {"session_id": "order"}}
            -> conversation "last_message":{"id":"o1"
            save_message {"message": {"id": "o1", "conversation": {"session_id": "order"},
             "timestamp_microseconds": "5"}}
            get_conversation {"conversation": {"session_id": "order"}}
            -> conversation "last_message":{"id":"o3"
            """#),
        Scenario(
            "an id saved under another conversation moves there",
            #"""
            get_or_create_conversation {"session_id": "from", "id": "from"}
            get_or_create_conversation {"session_id": "to", "id": "to"}
            save_message {"message": {"id": "moved", "conversation": {"id": "from"}}}
            save_message {"message": {"id": "moved", "conversation": {"id": "to"}}}
            -> commit "ids":["moved"] "updated_count":1 !created_count !deleted_count
            get_message {"id": "moved"}
            -> message "conversation_id":"to"
            get_conversation {"conversation": {"id": "from"}}
            -> conversation !message_count !last_message
            get_conversation {"conversation": {"id": "to"}}
            -> conversation "message_count":"1"
            list_changes {"after_revision": "1", "kinds": [2], "conversation_id": "from"}
            -> changes "CHANGE_OPERATION_CREATED" "CHANGE_OPERATION_DELETED" !UPDATED
            list_changes {"after_revision": "1", "kinds": [2], "conversation_id": "to"}
            -> changes "CHANGE_OPERATION_CREATED" !DELETED !UPDATED
            """#),
        Scenario(
            "saving an id again replaces every field, and keeps its time where none is given",
            #"""
            save_message {"message": {"id": "t", "conversation": {"session_id": "times"}, "text": "one",
             "timestamp_microseconds": "5", "status": 3, "attachment_url": "u", "attachment_type": "a",
             "sender_session_id": "s", "reply_to_message_id": "r", "is_read": true}}
            edit_message {"id": "t", "text": "edited", "edited_at_microseconds": "7"}
            save_message {"message": {"id": "t", "conversation": {"session_id": "times"}, "text": "two"}}
            -> commit "updated_count":1
            get_message {"id": "t"}
            -> message "timestamp_microseconds":"5" "text":"two" "edited_at_microseconds":"7"
            get_message {"id": "t"}
            -> message "MESSAGE_STATUS_PENDING" !attachment !sender !reply !is_read
            save_message {"message": {"id": "t", "conversation": {"session_id": "times"}, "text": "two"}}
            -> commit !_count "ids":["t"]
            """#),
        Scenario(
            "has_attachment is about the URL, and empty texts stand for none",
            #"""
            save_messages {"messages": [
             {"id": "a1", "conversation": {"session_id": "attached"}, "attachment_type": "image/png"},
             {"id": "a2", "conversation": {"session_id": "attached"}, "attachment_url": "",
             "attachment_type": "", "reply_to_message_id": ""},
             {"id": "a3", "conversation": {"session_id": "attached"}, "attachment_url": "file:x"}]}
            get_message {"id": "a2"}
            -> message !attachment_url !attachment_type !reply_to
            list_messages {"conversation": {"session_id": "attached"}, "has_attachment": true}
            -> messages "id":"a3" !"a1" !"a2"
            list_messages {"conversation": {"session_id": "attached"}, "has_attachment": false}
            -> messages "id":"a1" "id":"a2" !"a3"
            """#),
        Scenario(
            "what a reply answers is not looked up",
            #"""
            save_message {"message": {"id": "r1", "conversation": {"session_id": "replies"}}}
            save_message {"message": {"id": "r2", "conversation": {"session_id": "others"},
             "reply_to_message_id": "r1"}}
            save_message {"message": {"id": "r3", "conversation": {"session_id": "others"},
             "reply_to_message_id": "nowhere"}}
            delete_messages {"ids": ["r1"]}
            get_message {"id": "r2"}
            -> message "reply_to_message_id":"r1"
            get_message {"id": "r3"}
            -> message "reply_to_message_id":"nowhere"
            """#),
        Scenario(
            "a call on several messages changes all or none, and an id given twice counts once",
            #"""
            save_message {"message": {"id": "e1", "conversation": {"session_id": "several"}}}
            update_message_status {"ids": ["e1", "absent"], "status": 3}
            -> MESSAGE_NOT_FOUND
            mark_messages_read {"ids": ["e1", "absent"]}
            -> MESSAGE_NOT_FOUND
            delete_messages {"ids": ["e1", "absent"]}
            -> MESSAGE_NOT_FOUND
            get_message {"id": "e1"}
            -> message "MESSAGE_STATUS_PENDING" !is_read
            save_messages {"messages": [{"id": "e2", "conversation": {"session_id": "several"}},
             {"id": "e3", "conversation": {"id": "absent"}}]}
            -> CONVERSATION_NOT_FOUND
            get_message {"id": "e2"}
            -> MESSAGE_NOT_FOUND
            update_message_status {"ids": ["e1", "e1"], "status": 3}
            -> commit "ids":["e1"] "updated_count":1
            mark_messages_read {"ids": []}
            -> INVALID_ARGUMENT
            save_messages {"messages": [{"id": "e4", "conversation": {"session_id": "several"}, "text": "one"},
             {"id": "e4", "conversation": {"session_id": "several"}, "text": "two"}]}
            -> commit "ids":["e4","e4"] "created_count":1 "updated_count":1
            get_message {"id": "e4"}
            -> message "text":"two"
            """#),
        Scenario(
            "after marking a conversation read none of its messages is unread, and each is a change",
            #"""
            get_or_create_conversation {"session_id": "read", "id": "read"}
            save_messages {"messages": [{"id": "in", "conversation": {"id": "read"}},
             {"id": "out", "conversation": {"id": "read"}, "is_outgoing": true},
             {"id": "seen", "conversation": {"id": "read"}, "is_read": true}]}
            mark_conversation_read {"conversation": {"id": "read"}}
            -> commit "updated_count":2 !"ids"
            list_messages {"conversation": {"id": "read"}, "is_read": false}
            -> messages !"in" !"out" !"seen" !has_more
            get_conversation {"conversation": {"id": "read"}}
            -> conversation !unread_count
            list_changes {"after_revision": "1", "kinds": [1], "conversation_id": "read"}
            -> changes "CHANGE_OPERATION_CREATED" !UPDATED
            list_changes {"after_revision": "1", "kinds": [2], "conversation_id": "read"}
            -> changes "CHANGE_OPERATION_UPDATED"
            """#),
        Scenario(
            "a cursor needs nothing that it was made of",
            #"""
            save_messages {"messages": [
             {"id": "p1", "conversation": {"session_id": "paged"}, "timestamp_microseconds": "1"},
             {"id": "p2", "conversation": {"session_id": "paged"}, "timestamp_microseconds": "2"},
             {"id": "p3", "conversation": {"session_id": "paged"}, "timestamp_microseconds": "3"}]}
            list_messages {"conversation": {"session_id": "paged"}, "limit": 1, "order": 2}
            -> messages "id":"p1" "has_more":true
            delete_messages {"ids": ["p1"]}
            list_messages {"conversation": {"session_id": "paged"}, "limit": 1, "order": 2,
             "after_cursor": "$last_cursor"}
            -> messages "id":"p2" !"p1" !"p3" "has_more":true
            list_messages {"conversation": {"session_id": "paged"}, "limit": 1, "order": 2,
             "after_cursor": "$last_cursor"}
            -> messages "id":"p3" !has_more
            list_messages {"conversation": {"session_id": "paged"}, "after_cursor": "made-up"}
            -> INVALID_ARGUMENT
            list_messages {"conversation": {"session_id": "paged"}, "limit": 1001}
            -> INVALID_ARGUMENT
            """#),
        Scenario(
            "without a conversation the messages of all are listed",
            #"""
            save_messages {"messages": [
             {"id": "e1", "conversation": {"session_id": "every"}, "timestamp_microseconds": "77000000000001"},
             {"id": "e2", "conversation": {"session_id": "other"}, "timestamp_microseconds": "77000000000002"},
             {"id": "e3", "conversation": {"session_id": "every"}, "timestamp_microseconds": "77000000000003"}]}
            list_messages {"from_microseconds": "77000000000001", "until_microseconds": "77000000000004", "limit": 2}
            -> messages "id":"e3" "id":"e2" !"e1" "has_more":true
            list_messages {"from_microseconds": "77000000000001", "until_microseconds": "77000000000004",
             "before_cursor": "$last_cursor"}
            -> messages "id":"e1" !"e2" !"e3" !has_more
            list_messages {"from_microseconds": "77000000000001", "until_microseconds": "77000000000004", "order": 2,
             "limit": 1}
            -> messages "id":"e1" !"e2" "has_more":true
            list_messages {"conversation": {}}
            -> INVALID_ARGUMENT
            """#),
    ]

    private static let ofConversations = [
        Scenario(
            "of conversations of one time the one made last stands first",
            #"""
            save_messages {"messages": [
             {"conversation": {"session_id": "tie1"}, "timestamp_microseconds": "9000000000000000"},
             {"conversation": {"session_id": "tie2"}, "timestamp_microseconds": "9000000000000000"}]}
            list_conversations {"limit": 1}
            -> conversations "session_id":"tie2" !"tie1"
            """#),
        Scenario(
            "an id or a name given for what is there is ignored",
            #"""
            get_or_create_conversation {"session_id": "g", "id": "g1", "display_name": "one"}
            -> get_or_create_conversation "id":"g1" "is_new":true
            get_or_create_conversation {"session_id": "g", "id": "g2", "display_name": "two"}
            -> get_or_create_conversation "id":"g1" "display_name":"one" !is_new
            get_or_create_conversation {"session_id": "h", "id": "g1"}
            -> ALREADY_EXISTS
            get_conversation {"conversation": {"session_id": "h"}}
            -> CONVERSATION_NOT_FOUND
            save_contact {"session_id": "c", "id": "c1"}
            save_contact {"session_id": "c", "id": "c2"}
            -> commit "ids":["c1"] !_count
            save_contact {"session_id": "d", "id": "c1"}
            -> ALREADY_EXISTS
            get_contact {"session_id": "d"}
            -> CONTACT_NOT_FOUND
            """#),
    ]

    private static let ofOthers = [
        Scenario(
            "values of scenes are the same when their bits are",
            #"""
            set_scene_values {"scene": "bits", "changes": [{"key": "nan", "value": {"double": "NaN"}},
             {"key": "zero", "value": {"double": 0}}]}
            set_scene_values {"scene": "bits", "changes": [{"key": "nan", "value": {"double": "NaN"}}]}
            -> commit !_count
            set_scene_values {"scene": "bits", "changes": [{"key": "zero", "value": {"double": -0.0}}]}
            -> commit "updated_count":1
            """#),
        Scenario(
            "a value of an enum that is not known is refused",
            #"""
            save_message {"message": {"id": "enum", "conversation": {"session_id": "enum"}, "status": 9}}
            -> INVALID_ARGUMENT
            update_message_status {"ids": ["e1"], "status": 0}
            -> INVALID_ARGUMENT
            list_messages {"conversation": {"session_id": "several"}, "order": 9}
            -> INVALID_ARGUMENT
            list_messages {"conversation": {"session_id": "several"}, "status": 9}
            -> INVALID_ARGUMENT
            list_changes {"after_revision": "1", "kinds": [99]}
            -> INVALID_ARGUMENT
            watch {"kinds": [0]}
            -> INVALID_ARGUMENT
            unlock {"secret": {"kind": 9, "value": "AAAA"}}
            -> INVALID_ARGUMENT
            """#),
        Scenario(
            "a request answered with an error leaves its key free",
            #"""
            key=left-free save_message {"message": {"id": "k", "conversation": {"id": "absent"}}}
            -> CONVERSATION_NOT_FOUND
            key=left-free save_message {"message": {"id": "k", "conversation": {"session_id": "keys"}}}
            -> commit "created_count":1 !is_replayed
            """#),
        Scenario(
            "an import without a message makes no conversation",
            #"""
            begin_blob_import {"conversation": {"session_id": "empty"}, "import_id": "i"}
            write_blob_import {"session": "$session", "data": "AAAAAA=="}
            finish_blob_import {"session": "$session"}
            -> blob_import_report !message_count
            get_conversation {"conversation": {"session_id": "empty"}}
            -> CONVERSATION_NOT_FOUND
            """#),
        Scenario(
            "a backup is read to its end, and what is there of an upload is told",
            #"""
            create_backup {}
            read_backup {"name": "$name", "offset": "$bytes", "length": 1}
            -> backup_data !"data" "total_bytes":
            read_backup {"name": "$name", "offset": "1000000000", "length": 1}
            -> INVALID_ARGUMENT
            begin_backup_upload {"total_bytes": "5000"}
            write_backup {"name": "$name", "data": "AAAAAA=="}
            write_backup {"name": "$name", "data": "AAAAAA=="}
            -> INVALID_ARGUMENT
            write_backup {"name": "$name", "offset": "4", "data": "AAAAAA=="}
            -> write_backup "bytes_received":"8"
            verify_backup {"name": "$name"}
            -> BACKUP_INCOMPLETE
            list_backups {}
            -> backups "bytes":"8"
            """#),
    ]
}
