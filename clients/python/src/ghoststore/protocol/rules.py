"""Calls that may be sent again, as PROTOCOL.md defines them."""

from __future__ import annotations

from typing import Any

from .call import Call

# Calls that are safe to repeat without a key: they change nothing, or nothing more the second time.
REPEATABLE = frozenset(
    """
    hello ping get_status get_metrics list_key_slots get_statistics list_backups read_backup
    get_conversation list_conversations list_conversation_members get_draft list_drafts
    get_message list_messages list_reactions get_contact list_contacts
    list_changes search_messages search_contacts search_conversations
    get_scene_values list_scenes read_log get_log list_logs list_files get_file read_file get_file_usage
    list_attachments read_attachment get_attachment_usage end_blob_session end_file_write end_archive_session
    get_replica_status take_replica_messages hand_in_replica_message list_lost_edits dismiss_lost_edit
    """.split()
)

# Calls that are not repeated after a lost connection: calls about keys, backups, checks, pieces and replica groups, and
# calls that belong to one connection.
NOT_REPEATABLE = frozenset(
    """
    cancel watch initialize_store unlock lock add_key_slot remove_key_slot change_passphrase rotate_master_key
    check_store create_backup begin_backup_upload write_backup verify_backup restore_backup delete_backup
    rebuild_search_index begin_blob_export read_blob_export begin_blob_import write_blob_import finish_blob_import
    begin_file_write write_file begin_attachment_write begin_archive read_archive begin_archive_restore
    write_archive_restore finish_archive_restore create_replica_group invite_replica_device join_replica_group
    remove_replica_device leave_replica_group
    """.split()
)


def is_repeatable(call: Call[Any]) -> bool:
    """Returns True if a request without an answer may be sent again: a read, or a write under its key."""
    return call.takes_key or call.name in REPEATABLE


# Calls whose duration the client cannot know, because they derive a key with Argon2id or read or write a whole store.
UNBOUNDED = frozenset(["finish_blob_import", "finish_archive_restore", "finish_file_write", "read_archive"])


def has_default_timeout(call: Call[Any]) -> bool:
    """Returns True if the store's timeout applies to a call that has no timeout of its own."""
    return not call.has_progress and call.name not in UNBOUNDED
