# Written by tools/generate.py from proto-docs; do not edit.
"""Every call of the protocol, and its answer."""

from __future__ import annotations

from typing import Any

from .. import model as wire
from .call import Call

HELLO = Call(
    "hello", 10, wire.HelloRequest,
    "hello", 10, wire.HelloResponse,
    takes_key=False, has_progress=False,
)
PING = Call(
    "ping", 11, wire.PingRequest,
    "ping", 11, wire.PingResponse,
    takes_key=False, has_progress=False,
)
GET_STATUS = Call(
    "get_status", 12, wire.GetStatusRequest,
    "status", 12, wire.Status,
    takes_key=False, has_progress=False,
)
GET_METRICS = Call(
    "get_metrics", 13, wire.GetMetricsRequest,
    "metrics", 13, wire.GetMetricsResponse,
    takes_key=False, has_progress=False,
)
CANCEL = Call(
    "cancel", 14, wire.CancelRequest,
    "cancel", 14, wire.CancelResponse,
    takes_key=False, has_progress=False,
)
INITIALIZE_STORE = Call(
    "initialize_store", 30, wire.InitializeStoreRequest,
    "initialize_store", 30, wire.InitializeStoreResponse,
    takes_key=False, has_progress=False,
)
UNLOCK = Call(
    "unlock", 31, wire.UnlockRequest,
    "unlock", 31, wire.UnlockResponse,
    takes_key=False, has_progress=False,
)
LOCK = Call(
    "lock", 32, wire.LockRequest,
    "lock", 32, wire.LockResponse,
    takes_key=False, has_progress=False,
)
LIST_KEY_SLOTS = Call(
    "list_key_slots", 33, wire.ListKeySlotsRequest,
    "key_slots", 33, wire.ListKeySlotsResponse,
    takes_key=False, has_progress=False,
)
ADD_KEY_SLOT = Call(
    "add_key_slot", 34, wire.AddKeySlotRequest,
    "add_key_slot", 34, wire.AddKeySlotResponse,
    takes_key=False, has_progress=False,
)
REMOVE_KEY_SLOT = Call(
    "remove_key_slot", 35, wire.RemoveKeySlotRequest,
    "remove_key_slot", 35, wire.RemoveKeySlotResponse,
    takes_key=False, has_progress=False,
)
CHANGE_PASSPHRASE = Call(
    "change_passphrase", 36, wire.ChangePassphraseRequest,
    "change_passphrase", 36, wire.ChangePassphraseResponse,
    takes_key=False, has_progress=False,
)
ROTATE_MASTER_KEY = Call(
    "rotate_master_key", 37, wire.RotateMasterKeyRequest,
    "rotate_master_key", 37, wire.RotateMasterKeyResponse,
    takes_key=False, has_progress=True,
)
GET_STATISTICS = Call(
    "get_statistics", 50, wire.GetStatisticsRequest,
    "statistics", 50, wire.Statistics,
    takes_key=False, has_progress=False,
)
CHECK_STORE = Call(
    "check_store", 51, wire.CheckStoreRequest,
    "check_report", 51, wire.CheckReport,
    takes_key=False, has_progress=True,
)
CREATE_BACKUP = Call(
    "create_backup", 52, wire.CreateBackupRequest,
    "backup", 52, wire.Backup,
    takes_key=False, has_progress=True,
)
LIST_BACKUPS = Call(
    "list_backups", 53, wire.ListBackupsRequest,
    "backups", 53, wire.ListBackupsResponse,
    takes_key=False, has_progress=False,
)
READ_BACKUP = Call(
    "read_backup", 54, wire.ReadBackupRequest,
    "backup_data", 54, wire.ReadBackupResponse,
    takes_key=False, has_progress=False,
)
BEGIN_BACKUP_UPLOAD = Call(
    "begin_backup_upload", 55, wire.BeginBackupUploadRequest,
    "begin_backup_upload", 55, wire.BeginBackupUploadResponse,
    takes_key=False, has_progress=False,
)
WRITE_BACKUP = Call(
    "write_backup", 56, wire.WriteBackupRequest,
    "write_backup", 56, wire.WriteBackupResponse,
    takes_key=False, has_progress=False,
)
VERIFY_BACKUP = Call(
    "verify_backup", 57, wire.VerifyBackupRequest,
    "backup_report", 57, wire.BackupReport,
    takes_key=False, has_progress=True,
)
RESTORE_BACKUP = Call(
    "restore_backup", 58, wire.RestoreBackupRequest,
    "restore_backup", 58, wire.RestoreBackupResponse,
    takes_key=False, has_progress=True,
)
DELETE_BACKUP = Call(
    "delete_backup", 59, wire.DeleteBackupRequest,
    "delete_backup", 59, wire.DeleteBackupResponse,
    takes_key=False, has_progress=False,
)
CLEAR_ALL_DATA = Call(
    "clear_all_data", 60, wire.ClearAllDataRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
GET_OR_CREATE_CONVERSATION = Call(
    "get_or_create_conversation", 100, wire.GetOrCreateConversationRequest,
    "get_or_create_conversation", 100, wire.GetOrCreateConversationResponse,
    takes_key=True, has_progress=False,
)
GET_CONVERSATION = Call(
    "get_conversation", 101, wire.GetConversationRequest,
    "conversation", 101, wire.Conversation,
    takes_key=False, has_progress=False,
)
LIST_CONVERSATIONS = Call(
    "list_conversations", 102, wire.ListConversationsRequest,
    "conversations", 102, wire.ListConversationsResponse,
    takes_key=False, has_progress=False,
)
UPDATE_CONVERSATION = Call(
    "update_conversation", 103, wire.UpdateConversationRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
MARK_CONVERSATION_READ = Call(
    "mark_conversation_read", 104, wire.MarkConversationReadRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
DELETE_CONVERSATION = Call(
    "delete_conversation", 105, wire.DeleteConversationRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
SET_CONVERSATION_MEMBERS = Call(
    "set_conversation_members", 106, wire.SetConversationMembersRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
REMOVE_CONVERSATION_MEMBERS = Call(
    "remove_conversation_members", 107, wire.RemoveConversationMembersRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
LIST_CONVERSATION_MEMBERS = Call(
    "list_conversation_members", 108, wire.ListConversationMembersRequest,
    "conversation_members", 108, wire.ListConversationMembersResponse,
    takes_key=False, has_progress=False,
)
SAVE_DRAFT = Call(
    "save_draft", 110, wire.SaveDraftRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
GET_DRAFT = Call(
    "get_draft", 111, wire.GetDraftRequest,
    "draft", 111, wire.GetDraftResponse,
    takes_key=False, has_progress=False,
)
LIST_DRAFTS = Call(
    "list_drafts", 112, wire.ListDraftsRequest,
    "drafts", 112, wire.ListDraftsResponse,
    takes_key=False, has_progress=False,
)
DELETE_DRAFT = Call(
    "delete_draft", 113, wire.DeleteDraftRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
SAVE_MESSAGE = Call(
    "save_message", 120, wire.SaveMessageRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
SAVE_MESSAGES = Call(
    "save_messages", 121, wire.SaveMessagesRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
GET_MESSAGE = Call(
    "get_message", 122, wire.GetMessageRequest,
    "message", 122, wire.Message,
    takes_key=False, has_progress=False,
)
LIST_MESSAGES = Call(
    "list_messages", 123, wire.ListMessagesRequest,
    "messages", 123, wire.ListMessagesResponse,
    takes_key=False, has_progress=False,
)
UPDATE_MESSAGE_STATUS = Call(
    "update_message_status", 124, wire.UpdateMessageStatusRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
MARK_MESSAGES_READ = Call(
    "mark_messages_read", 125, wire.MarkMessagesReadRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
EDIT_MESSAGE = Call(
    "edit_message", 126, wire.EditMessageRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
DELETE_MESSAGES = Call(
    "delete_messages", 127, wire.DeleteMessagesRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
ADD_REACTION = Call(
    "add_reaction", 130, wire.AddReactionRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
REMOVE_REACTION = Call(
    "remove_reaction", 131, wire.RemoveReactionRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
LIST_REACTIONS = Call(
    "list_reactions", 132, wire.ListReactionsRequest,
    "reactions", 132, wire.ListReactionsResponse,
    takes_key=False, has_progress=False,
)
SAVE_CONTACT = Call(
    "save_contact", 140, wire.SaveContactRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
GET_CONTACT = Call(
    "get_contact", 141, wire.GetContactRequest,
    "contact", 141, wire.Contact,
    takes_key=False, has_progress=False,
)
LIST_CONTACTS = Call(
    "list_contacts", 142, wire.ListContactsRequest,
    "contacts", 142, wire.ListContactsResponse,
    takes_key=False, has_progress=False,
)
DELETE_CONTACT = Call(
    "delete_contact", 143, wire.DeleteContactRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
SET_CONTACT_BLOCKED = Call(
    "set_contact_blocked", 144, wire.SetContactBlockedRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
LIST_CHANGES = Call(
    "list_changes", 160, wire.ListChangesRequest,
    "changes", 160, wire.ListChangesResponse,
    takes_key=False, has_progress=False,
)
WATCH = Call(
    "watch", 161, wire.WatchRequest,
    "watch_event", 161, wire.WatchEvent,
    takes_key=False, has_progress=False,
)
COMPACT_CHANGES = Call(
    "compact_changes", 162, wire.CompactChangesRequest,
    "compact_changes", 162, wire.CompactChangesResponse,
    takes_key=True, has_progress=False,
)
SEARCH_MESSAGES = Call(
    "search_messages", 170, wire.SearchMessagesRequest,
    "found_messages", 170, wire.SearchMessagesResponse,
    takes_key=False, has_progress=False,
)
SEARCH_CONTACTS = Call(
    "search_contacts", 171, wire.SearchContactsRequest,
    "contacts", 142, wire.ListContactsResponse,
    takes_key=False, has_progress=False,
)
SEARCH_CONVERSATIONS = Call(
    "search_conversations", 172, wire.SearchConversationsRequest,
    "conversations", 102, wire.ListConversationsResponse,
    takes_key=False, has_progress=False,
)
REBUILD_SEARCH_INDEX = Call(
    "rebuild_search_index", 173, wire.RebuildSearchIndexRequest,
    "rebuild_search_index", 173, wire.RebuildSearchIndexResponse,
    takes_key=False, has_progress=True,
)
SET_SCENE_VALUES = Call(
    "set_scene_values", 200, wire.SetSceneValuesRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
GET_SCENE_VALUES = Call(
    "get_scene_values", 201, wire.GetSceneValuesRequest,
    "scene_values", 201, wire.GetSceneValuesResponse,
    takes_key=False, has_progress=False,
)
LIST_SCENES = Call(
    "list_scenes", 202, wire.ListScenesRequest,
    "scenes", 202, wire.ListScenesResponse,
    takes_key=False, has_progress=False,
)
REMOVE_SCENE = Call(
    "remove_scene", 203, wire.RemoveSceneRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
OPEN_LOG = Call(
    "open_log", 220, wire.OpenLogRequest,
    "open_log", 220, wire.OpenLogResponse,
    takes_key=True, has_progress=False,
)
APPEND_LOG = Call(
    "append_log", 221, wire.AppendLogRequest,
    "append_log", 221, wire.AppendLogResponse,
    takes_key=True, has_progress=False,
)
READ_LOG = Call(
    "read_log", 222, wire.ReadLogRequest,
    "log_entries", 222, wire.ReadLogResponse,
    takes_key=False, has_progress=False,
)
GET_LOG = Call(
    "get_log", 223, wire.GetLogRequest,
    "log", 223, wire.Log,
    takes_key=False, has_progress=False,
)
LIST_LOGS = Call(
    "list_logs", 224, wire.ListLogsRequest,
    "logs", 224, wire.ListLogsResponse,
    takes_key=False, has_progress=False,
)
DELETE_LOG = Call(
    "delete_log", 225, wire.DeleteLogRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
BEGIN_BLOB_EXPORT = Call(
    "begin_blob_export", 240, wire.BeginBlobExportRequest,
    "blob_export", 240, wire.BeginBlobExportResponse,
    takes_key=False, has_progress=False,
)
READ_BLOB_EXPORT = Call(
    "read_blob_export", 241, wire.ReadBlobExportRequest,
    "blob_export_piece", 241, wire.ReadBlobExportResponse,
    takes_key=False, has_progress=False,
)
BEGIN_BLOB_IMPORT = Call(
    "begin_blob_import", 242, wire.BeginBlobImportRequest,
    "blob_import", 242, wire.BeginBlobImportResponse,
    takes_key=False, has_progress=False,
)
WRITE_BLOB_IMPORT = Call(
    "write_blob_import", 243, wire.WriteBlobImportRequest,
    "blob_import_progress", 243, wire.WriteBlobImportResponse,
    takes_key=False, has_progress=False,
)
FINISH_BLOB_IMPORT = Call(
    "finish_blob_import", 244, wire.FinishBlobImportRequest,
    "blob_import_report", 244, wire.BlobImportReport,
    takes_key=False, has_progress=False,
)
END_BLOB_SESSION = Call(
    "end_blob_session", 245, wire.EndBlobSessionRequest,
    "blob_session_ended", 245, wire.EndBlobSessionResponse,
    takes_key=False, has_progress=False,
)
CREATE_DIRECTORY = Call(
    "create_directory", 280, wire.CreateDirectoryRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
REMOVE_DIRECTORY = Call(
    "remove_directory", 281, wire.RemoveDirectoryRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
LIST_FILES = Call(
    "list_files", 282, wire.ListFilesRequest,
    "files", 282, wire.ListFilesResponse,
    takes_key=False, has_progress=False,
)
GET_FILE = Call(
    "get_file", 283, wire.GetFileRequest,
    "file", 283, wire.File,
    takes_key=False, has_progress=False,
)
SAVE_FILE = Call(
    "save_file", 284, wire.SaveFileRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
APPEND_FILE = Call(
    "append_file", 285, wire.AppendFileRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
READ_FILE = Call(
    "read_file", 286, wire.ReadFileRequest,
    "file_data", 286, wire.ReadFileResponse,
    takes_key=False, has_progress=False,
)
MOVE_FILE = Call(
    "move_file", 287, wire.MoveFileRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
COPY_FILE = Call(
    "copy_file", 288, wire.CopyFileRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
DELETE_FILE = Call(
    "delete_file", 289, wire.DeleteFileRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
BEGIN_FILE_WRITE = Call(
    "begin_file_write", 290, wire.BeginFileWriteRequest,
    "file_write", 290, wire.BeginFileWriteResponse,
    takes_key=False, has_progress=False,
)
WRITE_FILE = Call(
    "write_file", 291, wire.WriteFileRequest,
    "file_write_progress", 291, wire.WriteFileResponse,
    takes_key=False, has_progress=False,
)
FINISH_FILE_WRITE = Call(
    "finish_file_write", 292, wire.FinishFileWriteRequest,
    "commit", 20, wire.Commit,
    takes_key=True, has_progress=False,
)
END_FILE_WRITE = Call(
    "end_file_write", 293, wire.EndFileWriteRequest,
    "file_write_ended", 293, wire.EndFileWriteResponse,
    takes_key=False, has_progress=False,
)
GET_FILE_USAGE = Call(
    "get_file_usage", 294, wire.GetFileUsageRequest,
    "file_usage", 294, wire.FileUsage,
    takes_key=False, has_progress=False,
)
LIST_ATTACHMENTS = Call(
    "list_attachments", 295, wire.ListAttachmentsRequest,
    "attachments", 295, wire.ListAttachmentsResponse,
    takes_key=False, has_progress=False,
)
READ_ATTACHMENT = Call(
    "read_attachment", 296, wire.ReadAttachmentRequest,
    "attachment_data", 296, wire.ReadAttachmentResponse,
    takes_key=False, has_progress=False,
)
GET_ATTACHMENT_USAGE = Call(
    "get_attachment_usage", 297, wire.GetAttachmentUsageRequest,
    "attachment_usage", 297, wire.AttachmentUsage,
    takes_key=False, has_progress=False,
)
BEGIN_ATTACHMENT_WRITE = Call(
    "begin_attachment_write", 298, wire.BeginAttachmentWriteRequest,
    "file_write", 290, wire.BeginFileWriteResponse,
    takes_key=False, has_progress=False,
)
BEGIN_ARCHIVE = Call(
    "begin_archive", 300, wire.BeginArchiveRequest,
    "archive", 300, wire.BeginArchiveResponse,
    takes_key=False, has_progress=False,
)
READ_ARCHIVE = Call(
    "read_archive", 301, wire.ReadArchiveRequest,
    "archive_piece", 301, wire.ReadArchiveResponse,
    takes_key=False, has_progress=False,
)
BEGIN_ARCHIVE_RESTORE = Call(
    "begin_archive_restore", 302, wire.BeginArchiveRestoreRequest,
    "archive_restore", 302, wire.BeginArchiveRestoreResponse,
    takes_key=False, has_progress=False,
)
WRITE_ARCHIVE_RESTORE = Call(
    "write_archive_restore", 303, wire.WriteArchiveRestoreRequest,
    "archive_restore_progress", 303, wire.WriteArchiveRestoreResponse,
    takes_key=False, has_progress=False,
)
FINISH_ARCHIVE_RESTORE = Call(
    "finish_archive_restore", 304, wire.FinishArchiveRestoreRequest,
    "archive_restore_report", 304, wire.ArchiveRestoreReport,
    takes_key=False, has_progress=False,
)
END_ARCHIVE_SESSION = Call(
    "end_archive_session", 305, wire.EndArchiveSessionRequest,
    "archive_session_ended", 305, wire.EndArchiveSessionResponse,
    takes_key=False, has_progress=False,
)
CREATE_REPLICA_GROUP = Call(
    "create_replica_group", 310, wire.CreateReplicaGroupRequest,
    "replica_device", 310, wire.ReplicaDeviceResponse,
    takes_key=False, has_progress=False,
)
INVITE_REPLICA_DEVICE = Call(
    "invite_replica_device", 311, wire.InviteReplicaDeviceRequest,
    "replica_invitation", 311, wire.InviteReplicaDeviceResponse,
    takes_key=False, has_progress=False,
)
JOIN_REPLICA_GROUP = Call(
    "join_replica_group", 312, wire.JoinReplicaGroupRequest,
    "replica_device", 310, wire.ReplicaDeviceResponse,
    takes_key=False, has_progress=False,
)
REMOVE_REPLICA_DEVICE = Call(
    "remove_replica_device", 313, wire.RemoveReplicaDeviceRequest,
    "replica_device_removed", 313, wire.RemoveReplicaDeviceResponse,
    takes_key=False, has_progress=False,
)
LEAVE_REPLICA_GROUP = Call(
    "leave_replica_group", 314, wire.LeaveReplicaGroupRequest,
    "replica_group_left", 314, wire.LeaveReplicaGroupResponse,
    takes_key=False, has_progress=False,
)
GET_REPLICA_STATUS = Call(
    "get_replica_status", 315, wire.GetReplicaStatusRequest,
    "replica_status", 315, wire.ReplicaStatus,
    takes_key=False, has_progress=False,
)
TAKE_REPLICA_MESSAGES = Call(
    "take_replica_messages", 316, wire.TakeReplicaMessagesRequest,
    "replica_messages", 316, wire.TakeReplicaMessagesResponse,
    takes_key=False, has_progress=False,
)
HAND_IN_REPLICA_MESSAGE = Call(
    "hand_in_replica_message", 317, wire.HandInReplicaMessageRequest,
    "replica_handed_in", 317, wire.HandInReplicaMessageResponse,
    takes_key=False, has_progress=False,
)
LIST_LOST_EDITS = Call(
    "list_lost_edits", 318, wire.ListLostEditsRequest,
    "lost_edits", 318, wire.ListLostEditsResponse,
    takes_key=False, has_progress=False,
)
DISMISS_LOST_EDIT = Call(
    "dismiss_lost_edit", 319, wire.DismissLostEditRequest,
    "lost_edit_dismissed", 319, wire.DismissLostEditResponse,
    takes_key=False, has_progress=False,
)

_ALL: tuple[Call[Any], ...] = (
    HELLO,
    PING,
    GET_STATUS,
    GET_METRICS,
    CANCEL,
    INITIALIZE_STORE,
    UNLOCK,
    LOCK,
    LIST_KEY_SLOTS,
    ADD_KEY_SLOT,
    REMOVE_KEY_SLOT,
    CHANGE_PASSPHRASE,
    ROTATE_MASTER_KEY,
    GET_STATISTICS,
    CHECK_STORE,
    CREATE_BACKUP,
    LIST_BACKUPS,
    READ_BACKUP,
    BEGIN_BACKUP_UPLOAD,
    WRITE_BACKUP,
    VERIFY_BACKUP,
    RESTORE_BACKUP,
    DELETE_BACKUP,
    CLEAR_ALL_DATA,
    GET_OR_CREATE_CONVERSATION,
    GET_CONVERSATION,
    LIST_CONVERSATIONS,
    UPDATE_CONVERSATION,
    MARK_CONVERSATION_READ,
    DELETE_CONVERSATION,
    SET_CONVERSATION_MEMBERS,
    REMOVE_CONVERSATION_MEMBERS,
    LIST_CONVERSATION_MEMBERS,
    SAVE_DRAFT,
    GET_DRAFT,
    LIST_DRAFTS,
    DELETE_DRAFT,
    SAVE_MESSAGE,
    SAVE_MESSAGES,
    GET_MESSAGE,
    LIST_MESSAGES,
    UPDATE_MESSAGE_STATUS,
    MARK_MESSAGES_READ,
    EDIT_MESSAGE,
    DELETE_MESSAGES,
    ADD_REACTION,
    REMOVE_REACTION,
    LIST_REACTIONS,
    SAVE_CONTACT,
    GET_CONTACT,
    LIST_CONTACTS,
    DELETE_CONTACT,
    SET_CONTACT_BLOCKED,
    LIST_CHANGES,
    WATCH,
    COMPACT_CHANGES,
    SEARCH_MESSAGES,
    SEARCH_CONTACTS,
    SEARCH_CONVERSATIONS,
    REBUILD_SEARCH_INDEX,
    SET_SCENE_VALUES,
    GET_SCENE_VALUES,
    LIST_SCENES,
    REMOVE_SCENE,
    OPEN_LOG,
    APPEND_LOG,
    READ_LOG,
    GET_LOG,
    LIST_LOGS,
    DELETE_LOG,
    BEGIN_BLOB_EXPORT,
    READ_BLOB_EXPORT,
    BEGIN_BLOB_IMPORT,
    WRITE_BLOB_IMPORT,
    FINISH_BLOB_IMPORT,
    END_BLOB_SESSION,
    CREATE_DIRECTORY,
    REMOVE_DIRECTORY,
    LIST_FILES,
    GET_FILE,
    SAVE_FILE,
    APPEND_FILE,
    READ_FILE,
    MOVE_FILE,
    COPY_FILE,
    DELETE_FILE,
    BEGIN_FILE_WRITE,
    WRITE_FILE,
    FINISH_FILE_WRITE,
    END_FILE_WRITE,
    GET_FILE_USAGE,
    LIST_ATTACHMENTS,
    READ_ATTACHMENT,
    GET_ATTACHMENT_USAGE,
    BEGIN_ATTACHMENT_WRITE,
    BEGIN_ARCHIVE,
    READ_ARCHIVE,
    BEGIN_ARCHIVE_RESTORE,
    WRITE_ARCHIVE_RESTORE,
    FINISH_ARCHIVE_RESTORE,
    END_ARCHIVE_SESSION,
    CREATE_REPLICA_GROUP,
    INVITE_REPLICA_DEVICE,
    JOIN_REPLICA_GROUP,
    REMOVE_REPLICA_DEVICE,
    LEAVE_REPLICA_GROUP,
    GET_REPLICA_STATUS,
    TAKE_REPLICA_MESSAGES,
    HAND_IN_REPLICA_MESSAGE,
    LIST_LOST_EDITS,
    DISMISS_LOST_EDIT,
)

# By their names.
ALL: dict[str, Call[Any]] = {call.name: call for call in _ALL}
