import StoreProtocol

@testable import StoreServer

/// One call of each kind that writes, as JSON. The calls are ordered so that each finds what it needs and has an
/// effect.
enum EveryWrite {
    static let calls = Scenario.lines(
        #"""
        get_or_create_conversation {"session_id": "alice"}
        save_message {"message": {"id": "m1", "conversation": {"session_id": "alice"}, "text": "one"}}
        save_messages {"messages": [{"id": "m2", "conversation": {"session_id": "alice"}, "text": "two"}]}
        update_message_status {"ids": ["m1", "m2"], "status": 3}
        mark_messages_read {"ids": ["m1"]}
        edit_message {"id": "m1", "text": "other", "edited_at_microseconds": "5"}
        update_conversation {"conversation": {"session_id": "alice"}, "display_name": "Alice", "avatar": "AQID",
            "is_pinned": true, "is_muted": true}
        set_conversation_members {"conversation": {"session_id": "alice"}, "members": [{"session_id": "bob"}]}
        remove_conversation_members {"conversation": {"session_id": "alice"}, "session_ids": ["bob"]}
        add_reaction {"message_id": "m1", "emoji": "👍", "author_session_id": "bob"}
        remove_reaction {"message_id": "m1", "emoji": "👍", "author_session_id": "bob"}
        save_draft {"conversation": {"session_id": "alice"}, "text": "draft"}
        delete_draft {"conversation": {"session_id": "alice"}}
        mark_conversation_read {"conversation": {"session_id": "alice"}}
        save_contact {"session_id": "bob", "display_name": "Bob", "notes": "noted", "avatar": "AQID",
            "is_trusted": true}
        set_contact_blocked {"session_id": "bob", "is_blocked": true}
        set_scene_values {"scene": "main", "changes": [{"key": "k", "value": {"integer": "1"}}, {"key": "none"}]}
        open_log {"name": "events", "maximum_bytes": "1000"}
        append_log {"name": "events", "messages": ["AQID"]}
        create_directory {"path": {"area": 2, "path": "d"}}
        save_file {"path": {"area": 2, "path": "d/f"}, "data": "AQID"}
        append_file {"path": {"area": 2, "path": "d/f"}, "data": "AQID"}
        copy_file {"origin": {"area": 2, "path": "d/f"}, "place": {"area": 2, "path": "d/g"}}
        move_file {"origin": {"area": 2, "path": "d/g"}, "place": {"area": 2, "path": "h"}}
        delete_file {"path": {"area": 2, "path": "h"}}
        compact_changes {"through_revision": "2"}
        delete_messages {"ids": ["m1", "m2"]}
        delete_conversation {"conversation": {"session_id": "alice"}}
        delete_contact {"session_id": "bob"}
        remove_scene {"scene": "main"}
        delete_log {"name": "events"}
        remove_directory {"path": {"area": 2, "path": "d"}, "with_children": true}
        clear_all_data {"confirmation": "clear all data"}
        """#)

    static func kind(_ call: String) -> CallKind? {
        CallKind.allCases.first { call.hasPrefix($0.name + " ") }
    }
}
