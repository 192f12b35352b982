import FoundationEssentials
import StoreProtocol
import SwiftProtobuf

@testable import StoreServer

/// Calls that contain planted texts. Each line is a call in protobuf JSON without its outer braces. `@AREA.KIND.ENTRY`
/// stands for a planted text, `bytes(TEXT)` for the value of a bytes field, and words in capitals are replaced.
enum AccessCalls {
    /// - Parameter words: the replacements of words in capitals.
    static func request(_ line: Substring, id: UInt64, _ words: [String: String]) throws -> WireRequest {
        var json = "{\(line)}"
        for (word, value) in words {
            json = json.replacing(word, with: value)
        }
        json = json.replacing(/@([a-z.]+)/) { "planted.\($0.output.1)/" }
        json = json.replacing(/bytes\(([^)]*)\)/) { Data($0.output.1.utf8).base64EncodedString() }
        var request = try WireRequest(jsonString: json)
        request.id = id
        return request
    }

    /// Calls that plant texts in every area. Repeating them does no harm.
    static var planting: [Substring] {
        lines(
            #"""
            "get_or_create_conversation": {"session_id": "SESSION_ID", "id": "@conversations.name.one.id"}
            "update_conversation": {CONVERSATION, "display_name": "@conversations.content.one.name", AVATAR}
            "update_conversation": {CONVERSATION, "metadata": {"data": "bytes(@conversations.content.one.metadata)"}}
            "set_conversation_members": {CONVERSATION, "members": [MEMBER]}
            "save_message": {"message": {MESSAGE, "text": "@messages.content.one.text", "attachments": [BOUND], OWN}}
            "save_draft": {CONVERSATION, "text": "@messages.content.one.draft"}
            "add_reaction": {REACTION, "author_session_id": "@messages.content.one.author"}
            "save_contact": {CONTACT, "id": "@contacts.name.one.id", DETAILS}
            """#)
            + bothEntries(
                #"""
                "set_scene_values": {SCENE, "changes": [{SCENE_KEY, "value": {SCENE_VALUE}}]}
                "delete_log": {LOG}
                "open_log": {LOG, "maximum_bytes": "400"}
                "append_log": {LOG, "messages": ["bytes(@logs.content.ENTRY.message)"], BESIDE}
                "save_file": {PLACE, "data": "bytes(@files.content.ENTRY.data)", "creates_parents": true}
                """#)
    }

    /// Every call of the protocol, in variants that succeed, that change something and that fail. Calls that delete
    /// planted texts come last.
    static var all: [Substring] {
        lines(reading) + bothEntries(aboutEntries) + lines(blobs) + lines(writing) + lines(failing)
            + lines(administration) + lines(deleting)
    }

    private static func lines(_ text: String, entry: String = "") -> [Substring] {
        let text = fixedWords.reduce(text) { $0.replacing($1.0, with: $1.1) }
        return text.replacing("ENTRY", with: entry).split(separator: "\n")
    }

    /// Returns the lines of `text` about one entry, followed by the same lines about another entry.
    private static func bothEntries(_ text: String) -> [Substring] {
        ["mine", "theirs"].flatMap { lines(text, entry: $0) }
    }

    private static let reading = #"""
        "hello": {"client_name": "test"}
        "ping": {}
        "get_status": {}
        "get_metrics": {}
        "cancel": {"request_id": "5"}
        "get_statistics": {}
        "get_conversation": {CONVERSATION}
        "get_conversation": {CONVERSATION, "include_avatar": true}
        "list_conversations": {}
        "list_conversations": {"include_avatars": true, "limit": 1}
        "list_conversation_members": {CONVERSATION}
        "get_message": {"id": "@messages.name.one"}
        "list_messages": {"conversation": {"session_id": "SESSION_ID"}}
        "list_messages": {"conversation": {"id": "@conversations.name.one.id"}, "is_outgoing": false}
        "list_messages": {}
        "list_messages": {"order": 2, "is_outgoing": false}
        "list_reactions": {"message_id": "@messages.name.one"}
        "list_attachments": {"message_id": "@messages.name.one", "with_thumbnails": true}
        "list_attachments": {"conversation": {"session_id": "SESSION_ID"}}
        "list_attachments": {"with_thumbnails": true}
        "read_attachment": {"message_id": "@messages.name.one"}
        "get_attachment_usage": {}
        "get_file_usage": {}
        "search_messages": {"query": "planted"}
        "search_messages": {"query": "planted OR text", "conversation": {"session_id": "SESSION_ID"}}
        "search_contacts": {"query": "planted"}
        "search_contacts": {"query": "name OR text NOT absent", "include_avatars": true}
        "search_conversations": {"query": "planted"}
        "search_conversations": {"query": "name OR text NOT absent", "include_avatars": true}
        "get_draft": {CONVERSATION}
        "list_drafts": {}
        "get_contact": {CONTACT}
        "get_contact": {CONTACT, "include_avatar": true}
        "list_contacts": {}
        "list_contacts": {"include_avatars": true, "limit": 1}
        "list_changes": {}
        "watch": {"after_revision": "0"}
        "list_scenes": {}
        "get_scene_values": {"global": true}
        "list_logs": {}
        "list_files": {"directory": {"area": 2}}
        "get_file": {"path": {"area": 2}}
        """#

    /// Calls about entries with names, to which an access rule can be limited.
    private static let aboutEntries = #"""
        "get_scene_values": {SCENE}
        "get_scene_values": {SCENE, "keys": [SCENE_KEYS]}
        "get_log": {LOG}
        "read_log": {LOG}
        "read_log": {LOG, "wait_milliseconds": 1000}
        "open_log": {LOG, "maximum_bytes": "400"}
        "open_log": {LOG, "maximum_bytes": "500", "overwrites_oldest": true}
        "append_log": {LOG, "messages": ["bytes(new)"]}
        "append_log": {LOG, "messages": ["bytes(new)"], "maximum_bytes": "500"}
        "append_log": {LOG, "messages": ["bytes(TOO_LONG)"]}
        "append_log": {LOG, "messages": ["bytes(TOO_LONG TOO_LONG)"]}
        "set_scene_values": {SCENE, "changes": [{"key": "new", "value": {"string": "new"}}]}
        "set_scene_values": {SCENE, "changes": [{SCENE_KEY}], "conditions": [{SCENE_KEY, "absent": true}]}
        "get_file": {PLACE}
        "read_file": {PLACE}
        "list_files": {"directory": DIRECTORY}
        "save_file": {PLACE, "data": "bytes(new)"}
        "append_file": {PLACE, "data": "bytes(new)"}
        "begin_file_write": {PLACE, "place": 2}
        "write_file": {"write": "WRITTEN", "data": "bytes(new)"}
        "finish_file_write": {"write": "WRITTEN"}
        "begin_file_write": {PLACE, "place": 1}
        "end_file_write": {"write": "WRITTEN"}
        "create_directory": {"path": DIRECTORY}
        "copy_file": {"origin": DIRECTORY, "place": {"area": 1, "path": "ENTRY"}}
        "list_files": {"directory": {"area": 1, "path": "ENTRY"}}
        "read_file": {"path": {"area": 1, "path": "ENTRY/inner"}}
        "remove_directory": {"path": {"area": 1}, "with_children": true}
        "move_file": {"origin": DIRECTORY, "place": {"area": 1, "path": "ENTRY"}}
        "read_file": {"path": {"area": 1, "path": "ENTRY/inner"}}
        "move_file": {"origin": {"area": 1, "path": "ENTRY"}, "place": DIRECTORY}
        """#

    private static let blobs = #"""
        "begin_blob_export": {"conversation": {"session_id": "SESSION_ID"}}
        "read_blob_export": {"session": "BLOB"}
        "begin_blob_import": {"conversation": {"session_id": "SESSION_ID"}, "import_id": "one"}
        "write_blob_import": {"session": "BLOB", "data": "bytes(no blob, but more than 16 bytes)"}
        "begin_blob_import": {"conversation": {"id": "@conversations.name.one.id"}, "dry_run": true}
        "finish_blob_import": {"session": "BLOB"}
        "end_blob_session": {"session": "BLOB"}
        """#

    private static let writing = #"""
        "get_or_create_conversation": {"session_id": "SESSION_ID"}
        "get_or_create_conversation": {"session_id": "new", "display_name": "new"}
        "update_conversation": {CONVERSATION, "is_pinned": true}
        "set_conversation_members": {CONVERSATION, "members": [{"session_id": "new", "name": "new"}]}
        "remove_conversation_members": {CONVERSATION, "session_ids": ["new"]}
        "mark_conversation_read": {CONVERSATION}
        "begin_attachment_write": {}
        "save_message": {"message": {MESSAGE, "text": "new"}}
        "save_messages": {"messages": [{MESSAGE, "text": "newer"}, {"conversation": {"session_id": "SESSION_ID"}}]}
        "update_message_status": {"ids": ["@messages.name.one"], "status": 2}
        "mark_messages_read": {"ids": ["@messages.name.one"]}
        "edit_message": {"id": "@messages.name.one", "text": "@messages.content.one.text"}
        "save_message": {"message": {MESSAGE, "text": "newest"}, "clear_draft": true}
        "add_reaction": {"message_id": "@messages.name.one", "emoji": "👍", "author_session_id": "new"}
        "remove_reaction": {"message_id": "@messages.name.one", "emoji": "👍", "author_session_id": "new"}
        "save_draft": {CONVERSATION, "text": "newer"}
        "save_contact": {CONTACT, "is_trusted": true}
        "set_contact_blocked": {CONTACT, "is_blocked": true}
        "set_scene_values": {"global": true, "changes": [{"key": "new", "value": {"string": "new"}}]}
        """#

    private static let failing = #"""
        "get_or_create_conversation": {"session_id": "newest", "id": "@conversations.name.one.id"}
        "get_conversation": {"conversation": {"session_id": "absent"}}
        "get_message": {"id": "absent"}
        "list_messages": {"conversation": {"id": "absent"}}
        "list_conversations": {"cursor": "bad"}
        "list_conversation_members": {"conversation": {"session_id": "absent"}}
        "set_conversation_members": {"conversation": {"session_id": "absent"}, "members": [MEMBER]}
        "edit_message": {"id": "absent", "text": "new"}
        "save_message": {"message": {"id": "@messages.name.one", "conversation": {"id": "absent"}}}
        "delete_messages": {"ids": ["@messages.name.one", "absent"]}
        "set_contact_blocked": {"session_id": "absent"}
        "get_log": {"name": "absent"}
        "remove_scene": {"scene": "absent"}
        """#

    private static let administration = #"""
        "initialize_store": {"secret": FIRST_SECRET}
        "add_key_slot": {"secret": FIRST_SECRET, "new_secret": SECOND_SECRET, "low_cost": true}
        "list_key_slots": {}
        "change_passphrase": {"secret": SECOND_SECRET, "new_secret": THIRD_SECRET, "low_cost": true}
        "remove_key_slot": {"secret": FIRST_SECRET, "slot": SLOT}
        "rotate_master_key": {}
        "check_store": {}
        "rebuild_search_index": {}
        "create_backup": {}
        "list_backups": {}
        "read_backup": {"name": "BACKUP", "offset": "0", "length": 1048576}
        "verify_backup": {"name": "BACKUP"}
        "restore_backup": {"name": "BACKUP", "replace_existing": true}
        "delete_backup": {"name": "BACKUP"}
        "begin_backup_upload": {"total_bytes": "4096"}
        "write_backup": {"name": "UPLOAD", "offset": "0", "data": "bytes(no backup)"}
        "verify_backup": {"name": "UPLOAD"}
        "delete_backup": {"name": "UPLOAD"}
        "begin_archive": {}
        "read_archive": {"session": "BLOB"}
        "begin_archive_restore": {"aim": 3, "dry_run": true}
        "write_archive_restore": {"session": "BLOB", "data": "bytes(no archive, but more than 16 bytes)"}
        "finish_archive_restore": {"session": "BLOB"}
        "end_archive_session": {"session": "BLOB"}
        "create_replica_group": {"device_name": "new", "selection": ["conversations", "scenes:new.*"]}
        "get_replica_status": {}
        "invite_replica_device": {"valid_seconds": 60}
        "take_replica_messages": {"channel": "join.00000000000000000000000000000001.welcome"}
        "take_replica_messages": {"channel": "device.0000000000000001", "wait_milliseconds": 10}
        "hand_in_replica_message": {"channel": "device.0000000000000001", "message": "bytes(no message)"}
        "remove_replica_device": {"device": "1"}
        "list_lost_edits": {}
        "dismiss_lost_edit": {"id": "1"}
        "leave_replica_group": {}
        "join_replica_group": {"device_name": "new", "code": {"kind": 2, "value": "bytes(no code)"}}
        "compact_changes": {"through_revision": "1"}
        "lock": {}
        "list_conversations": {}
        "unlock": {"secret": FIRST_SECRET}
        "get_status": {}
        """#

    private static let deleting = #"""
        "delete_messages": {"ids": ["@messages.name.one"]}
        "delete_draft": {CONVERSATION}
        "delete_conversation": {CONVERSATION}
        "delete_contact": {CONTACT}
        "remove_scene": {"scene": "@scenes.name.mine"}
        "remove_scene": {"scene": "@scenes.name.theirs"}
        "delete_log": {"name": "@logs.name.mine"}
        "delete_log": {"name": "@logs.name.theirs"}
        "delete_file": {"path": {"area": 2, "path": "@files.name.mine/inner"}}
        "remove_directory": {"path": {"area": 2, "path": "@files.name.theirs"}, "with_children": true}
        "clear_all_data": {"confirmation": "clear all data"}
        """#

    /// The replacements, in the order in which they are applied. The order matters because some words contain others,
    /// and some replacements contain words that come later.
    private static let fixedWords: [(String, String)] = [
        ("CONVERSATION", #""conversation": {"session_id": "SESSION_ID"}"#),
        ("MEMBER", #"{"session_id": "@conversations.name.one.member", "name": "@conversations.content.one.member"}"#),
        (
            "OWN",
            #""sender_name": "@messages.content.one.sender", "#
                + #""metadata": {"data": "bytes(@messages.content.one.metadata)"}"#
        ),
        ("REACTION", #""message_id": "@messages.name.one", "emoji": "👍""#),
        (
            "BOUND",
            #"{"data": "bytes(@messages.content.one.bytes)", "mime_type": "text/plain", "#
                + #""name": "@messages.content.one.file", "source": "@messages.content.one.source"}"#
        ),
        ("MESSAGE", #""id": "@messages.name.one", "conversation": {"session_id": "SESSION_ID"}, SENDER, ATTACHMENT"#),
        ("SENDER", #""sender_session_id": "@messages.content.one.sender""#),
        ("ATTACHMENT", #""attachment_url": "@messages.content.one.attachment""#),
        ("CONTACT", #""session_id": "@contacts.name.one.session""#),
        ("DETAILS", #""display_name": "@contacts.content.one.name", "notes": "@contacts.content.one.notes""#),
        ("AVATAR", #""avatar": "bytes(@conversations.content.one.avatar)""#),
        ("SESSION_ID", "@conversations.name.one.session"),
        ("PLACE", #""path": {"area": 2, "path": "@files.name.ENTRY/inner"}"#),
        ("DIRECTORY", #"{"area": 2, "path": "@files.name.ENTRY"}"#),
        ("LOG", #""name": "@logs.name.ENTRY""#),
        ("BESIDE", #""metadata": [{"data": "bytes(@logs.content.ENTRY.metadata)"}]"#),
        ("SCENE_KEYS", #""@scenes.name.mine.key", "@scenes.name.theirs.key""#),
        ("SCENE_KEY", #""key": "@scenes.name.ENTRY.key""#),
        ("SCENE_VALUE", #""string": "@scenes.content.ENTRY.value""#),
        ("SCENE", #""scene": "@scenes.name.ENTRY""#),
        ("TOO_LONG", String(repeating: "long", count: 80)),
        ("FIRST_SECRET", #"{"kind": 1, "value": "bytes(passphrase)"}"#),
        ("SECOND_SECRET", #"{"kind": 1, "value": "bytes(second)"}"#),
        ("THIRD_SECRET", #"{"kind": 1, "value": "bytes(third)"}"#),
    ]
}
