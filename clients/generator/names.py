"""Facts about the protocol that its .proto files do not contain and that every language needs.

Names for one language are in its folder: for_swift has types.toml and calls.toml, and for_python needs none.
"""

from __future__ import annotations

# Fields that hold secrets: PROTOCOL.md, "Secrets".
SECRETS = {
    "Secret.value",
    "InitializeStoreResponse.recovery_code",
    "AddKeySlotResponse.recovery_code",
    "InviteReplicaDeviceResponse.code",
}
# Messages that are always present in an answer, although protobuf does not require them.
ALWAYS_PRESENT = {
    "ArchiveRestoreReport.counts",
    "ArchiveRestoreReport.header",
    "BackupReport.statistics",
    "FoundMessage.message",
    "GetOrCreateConversationResponse.conversation",
    "ListedAttachment.attachment",
    "OpenLogResponse.log",
    "ReadAttachmentResponse.attachment",
    "ReadFileResponse.file",
    "ReadLogResponse.log",
    "RestoreBackupResponse.statistics",
}
# Messages for which requests also accept a string.
TEXT_FORMS = {"ConversationReference", "FilePath"}
# Calls that have no method, because watches and the connection make them.
WITHOUT_METHOD = {"watch", "cancel"}
# Writes whose answer is not a Commit: PROTOCOL.md, "Ordering".
WRITES_WITHOUT_COMMIT = {"get_or_create_conversation", "open_log", "append_log", "compact_changes"}
# Fields that methods of Python also accept by position, although requests do not need them.
POSITIONAL = {"list_messages": ["conversation"]}
# The required fields of requests, for which no method has a default. Python's methods have them in this order, and all
# other fields as keywords.
REQUIRED = {
    "initialize_store": ["secret"],
    "unlock": ["secret"],
    "add_key_slot": ["secret", "new_secret"],
    "remove_key_slot": ["secret", "slot"],
    "change_passphrase": ["secret", "new_secret"],
    "read_backup": ["name", "offset", "length"],
    "begin_backup_upload": ["total_bytes"],
    "write_backup": ["name", "offset", "data"],
    "verify_backup": ["name"],
    "restore_backup": ["name"],
    "delete_backup": ["name"],
    "clear_all_data": ["confirmation"],
    "get_or_create_conversation": ["session_id"],
    "get_conversation": ["conversation"],
    "update_conversation": ["conversation"],
    "mark_conversation_read": ["conversation"],
    "delete_conversation": ["conversation"],
    "set_conversation_members": ["conversation", "members"],
    "remove_conversation_members": ["conversation", "session_ids"],
    "list_conversation_members": ["conversation"],
    "save_draft": ["conversation", "text"],
    "get_draft": ["conversation"],
    "delete_draft": ["conversation"],
    "save_message": ["message"],
    "save_messages": ["messages"],
    "get_message": ["id"],
    "update_message_status": ["ids", "status"],
    "mark_messages_read": ["ids"],
    "edit_message": ["id", "text"],
    "delete_messages": ["ids"],
    "add_reaction": ["message_id", "emoji", "author_session_id"],
    "remove_reaction": ["message_id", "emoji", "author_session_id"],
    "list_reactions": ["message_id"],
    "save_contact": ["session_id"],
    "get_contact": ["session_id"],
    "delete_contact": ["session_id"],
    "set_contact_blocked": ["session_id", "is_blocked"],
    "list_changes": ["after_revision"],
    "compact_changes": ["through_revision"],
    "search_messages": ["query"],
    "search_contacts": ["query"],
    "search_conversations": ["query"],
    "set_scene_values": ["scene", "changes"],
    "get_scene_values": ["scene"],
    "remove_scene": ["scene"],
    "open_log": ["name", "maximum_bytes"],
    "append_log": ["name", "messages"],
    "read_log": ["name"],
    "get_log": ["name"],
    "delete_log": ["name"],
    "begin_blob_export": ["conversation"],
    "read_blob_export": ["session", "offset"],
    "write_blob_import": ["session", "offset", "data"],
    "finish_blob_import": ["session"],
    "end_blob_session": ["session"],
    "create_directory": ["path"],
    "remove_directory": ["path"],
    "list_files": ["directory"],
    "get_file": ["path"],
    "save_file": ["path", "data"],
    "append_file": ["path", "data"],
    "read_file": ["path"],
    "move_file": ["origin", "place"],
    "copy_file": ["origin", "place"],
    "delete_file": ["path"],
    "begin_file_write": ["path", "place"],
    "write_file": ["write", "offset", "data"],
    "finish_file_write": ["write"],
    "end_file_write": ["write"],
    "read_attachment": ["message_id", "position"],
    "read_archive": ["session", "offset"],
    "begin_archive_restore": ["aim"],
    "write_archive_restore": ["session", "offset", "data"],
    "finish_archive_restore": ["session"],
    "end_archive_session": ["session"],
}
