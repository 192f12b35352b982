# Written by tools/generate.py from proto-docs; do not edit.
"""The reasons for which the daemon refuses a call, as proto-docs/ERRORS.md lists them."""

from __future__ import annotations

from enum import Enum

from .model.errors import ErrorCode


class Reason(str, Enum):
    """The reason of an error, for programs. Unknown reasons are kept: `Reason("NEW_WORD")`."""

    # A frame has the length 0. The connection is closed.
    FRAME_EMPTY = "FRAME_EMPTY"
    # A frame is longer than the daemon's maximum. The connection is closed.
    FRAME_TOO_LARGE = "FRAME_TOO_LARGE"
    # The client closed its sending side in the middle of a frame. The connection is closed.
    FRAME_TRUNCATED = "FRAME_TRUNCATED"
    # A frame began but did not arrive completely in time. The connection is closed.
    FRAME_TIMEOUT = "FRAME_TIMEOUT"
    # The payload is not a Request, names two calls, or gives a secret twice.
    REQUEST_MALFORMED = "REQUEST_MALFORMED"
    # The request has more bytes or entries than its call accepts.
    REQUEST_TOO_LARGE = "REQUEST_TOO_LARGE"
    # A watch, or a read that waits, with this request id already runs on this connection.
    REQUEST_ID_IN_USE = "REQUEST_ID_IN_USE"
    # The request names no call that this daemon knows.
    CALL_UNKNOWN = "CALL_UNKNOWN"
    # A field of the call is missing or out of range; the message names it.
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    # At the deadline the work had not begun, or the list was not completely read; the request had no effect.
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    # The key was used for another call or for other content; nothing was changed.
    IDEMPOTENCY_KEY_REUSED = "IDEMPOTENCY_KEY_REUSED"
    # The answer does not fit into a frame; ask for less at once.
    RESPONSE_TOO_LARGE = "RESPONSE_TOO_LARGE"
    # The caller's user and groups have no right to this call.
    PERMISSION_DENIED = "PERMISSION_DENIED"
    # The user, or the daemon, has reached its maximum number of connections. The connection is closed.
    TOO_MANY_CONNECTIONS = "TOO_MANY_CONNECTIONS"
    # The connection or its user has reached its maximum number of watches or waiting reads.
    TOO_MANY_WATCHES = "TOO_MANY_WATCHES"
    # Requests and answers in progress use all the memory that they may use.
    MEMORY_EXHAUSTED = "MEMORY_EXHAUSTED"
    # More work is waiting than the daemon queues.
    QUEUE_FULL = "QUEUE_FULL"
    # The daemon is stopping; connect again in a moment.
    SHUTTING_DOWN = "SHUTTING_DOWN"
    # The conversation does not exist.
    CONVERSATION_NOT_FOUND = "CONVERSATION_NOT_FOUND"
    # The message does not exist.
    MESSAGE_NOT_FOUND = "MESSAGE_NOT_FOUND"
    # The message has 10,000 reactions, or reactions with 64 different emoji; none was added.
    TOO_MANY_REACTIONS = "TOO_MANY_REACTIONS"
    # The message has no attachment at this position.
    ATTACHMENT_NOT_FOUND = "ATTACHMENT_NOT_FOUND"
    # The store has no content with this digest; nothing was saved. Write the content, then repeat the request.
    ATTACHMENT_CONTENT_NOT_FOUND = "ATTACHMENT_CONTENT_NOT_FOUND"
    # The content of this attachment is not in the store. Fetch the content from its source and write it.
    ATTACHMENT_EVICTED = "ATTACHMENT_EVICTED"
    # The contact does not exist.
    CONTACT_NOT_FOUND = "CONTACT_NOT_FOUND"
    # Another entity, key slot, file or directory already has this id, session id, secret or path.
    ALREADY_EXISTS = "ALREADY_EXISTS"
    # The scene has no values of its own, so there is nothing to remove.
    SCENE_NOT_FOUND = "SCENE_NOT_FOUND"
    # A condition on a scene's values does not hold; nothing was changed. Read the values again.
    SCENE_CONDITION_FAILED = "SCENE_CONDITION_FAILED"
    # The append log does not exist, or was deleted and another log now has its name.
    LOG_NOT_FOUND = "LOG_NOT_FOUND"
    # The log does not overwrite its old messages and has no room for the new ones; none was appended.
    LOG_FULL = "LOG_FULL"
    # A message would not fit even if the log were empty; none was appended.
    LOG_MESSAGE_TOO_LARGE = "LOG_MESSAGE_TOO_LARGE"
    # The configuration of the log differs from the configuration in the request.
    LOG_NOT_WRITABLE = "LOG_NOT_WRITABLE"
    # No file has this path; a directory may have it.
    FILE_NOT_FOUND = "FILE_NOT_FOUND"
    # No directory has this path; a file may have it.
    DIRECTORY_NOT_FOUND = "DIRECTORY_NOT_FOUND"
    # The directory that contains the path does not exist.
    PARENT_DIRECTORY_NOT_FOUND = "PARENT_DIRECTORY_NOT_FOUND"
    # The directory is not empty, and the request removes only empty directories.
    DIRECTORY_NOT_EMPTY = "DIRECTORY_NOT_EMPTY"
    # The file has another revision than expected, or was changed while the request worked on it. Begin again.
    FILE_CHANGED = "FILE_CHANGED"
    # The content of the file is damaged on disk; the rest of the store is not affected.
    FILE_DAMAGED = "FILE_DAMAGED"
    # The daemon is rebuilding the search index, or does not use it because it was inconsistent. No message is lost.
    SEARCH_INDEX_INCOMPLETE = "SEARCH_INDEX_INCOMPLETE"
    # This write in pieces has ended or failed, was unused for 60 seconds, or ended because the store was locked.
    FILE_WRITE_NOT_FOUND = "FILE_WRITE_NOT_FOUND"
    # The maximum number of writes in pieces is running; try again later.
    TOO_MANY_FILE_WRITES = "TOO_MANY_FILE_WRITES"
    # The bytes do not fit into the area of the vault; nothing was changed. Remove files from the area.
    FILE_QUOTA_EXCEEDED = "FILE_QUOTA_EXCEEDED"
    # The store no longer keeps all changes after the requested revision. Read the data again, or make a full archive.
    CHANGES_COMPACTED = "CHANGES_COMPACTED"
    # The store was replaced or lost changes, so it has not reached the requested revision. Read the data itself
    # again.
    REVISION_AHEAD = "REVISION_AHEAD"
    # The client read its events too slowly; watch again after the last revision received.
    WATCH_BACKLOG_EXCEEDED = "WATCH_BACKLOG_EXCEEDED"
    # The store now has another history; nothing was changed in it. Read the data itself again.
    HISTORY_CHANGED = "HISTORY_CHANGED"
    # There is no store yet; initialize_store creates one.
    STORE_ABSENT = "STORE_ABSENT"
    # There is a store already.
    STORE_EXISTS = "STORE_EXISTS"
    # The store is locked, or was locked while the work ran; unlock opens it.
    STORE_LOCKED = "STORE_LOCKED"
    # The store is open already.
    STORE_ALREADY_OPEN = "STORE_ALREADY_OPEN"
    # Other work uses the files of the database for a moment; nothing was changed.
    STORE_BUSY = "STORE_BUSY"
    # The disk is full; nothing was written. Reads and deletes still work.
    DISK_FULL = "DISK_FULL"
    # The keyring file is damaged; no file was changed.
    KEYRING_DAMAGED = "KEYRING_DAMAGED"
    # The database, or the requested part of it, is damaged. The daemon writes nothing more to it.
    DATABASE_DAMAGED = "DATABASE_DAMAGED"
    # The journal is damaged or incomplete, so acknowledged changes are missing. The store stays closed.
    JOURNAL_DAMAGED = "JOURNAL_DAMAGED"
    # The database lacks acknowledged changes, or belongs to another journal. The store stays closed.
    STORE_ROLLED_BACK = "STORE_ROLLED_BACK"
    # A newer daemon wrote the store; no file was changed.
    NEWER_SCHEMA = "NEWER_SCHEMA"
    # The operating system refused a file operation.
    STORAGE_FAILED = "STORAGE_FAILED"
    # The secret opens no slot of the keyring.
    WRONG_KEY = "WRONG_KEY"
    # The key that the daemon is configured with is missing.
    KEY_MISSING = "KEY_MISSING"
    # Too many wrong passphrases; wait for details.retry_after_milliseconds.
    UNLOCK_THROTTLED = "UNLOCK_THROTTLED"
    # This slot cannot be removed, because no other slot has a passphrase or a recovery code.
    LAST_KEY_SLOT = "LAST_KEY_SLOT"
    # When the daemon starts, it opens the store with this slot; `even_if_configured` removes the slot anyway.
    KEY_SLOT_CONFIGURED = "KEY_SLOT_CONFIGURED"
    # The key slot does not exist.
    KEY_SLOT_NOT_FOUND = "KEY_SLOT_NOT_FOUND"
    # Every key slot is in use.
    KEY_SLOTS_FULL = "KEY_SLOTS_FULL"
    # The daemon's configuration does not allow the low-cost key derivation that the request asked for.
    LOW_COST_REFUSED = "LOW_COST_REFUSED"
    # The backup does not exist.
    BACKUP_NOT_FOUND = "BACKUP_NOT_FOUND"
    # The file is damaged or is not a backup; the store was not changed.
    BACKUP_DAMAGED = "BACKUP_DAMAGED"
    # The upload of the backup is not complete.
    BACKUP_INCOMPLETE = "BACKUP_INCOMPLETE"
    # The request needs a secret that opens the keyring in the backup.
    BACKUP_KEY_MISSING = "BACKUP_KEY_MISSING"
    # The daemon keeps its maximum number of backups; delete one.
    TOO_MANY_BACKUPS = "TOO_MANY_BACKUPS"
    # The message file is damaged or has another size than announced. The error message contains the offset of the
    # damage.
    BLOB_DAMAGED = "BLOB_DAMAGED"
    # A message in the file has a time outside the range of microseconds. The error message contains the message's
    # offset.
    BLOB_TIMESTAMP_OUT_OF_RANGE = "BLOB_TIMESTAMP_OUT_OF_RANGE"
    # The sealed message file needs a secret, another secret, or a secret of another kind.
    BLOB_SECRET_WRONG = "BLOB_SECRET_WRONG"
    # No export or import with this id is in progress.
    BLOB_SESSION_NOT_FOUND = "BLOB_SESSION_NOT_FOUND"
    # The maximum number of exports, imports, archives and restores is running; try again later.
    TOO_MANY_BLOB_SESSIONS = "TOO_MANY_BLOB_SESSIONS"
    # The plain or sealed file is damaged, incomplete or no archive. The error message contains the offset of the
    # damage.
    ARCHIVE_DAMAGED = "ARCHIVE_DAMAGED"
    # The sealed archive needs a secret, another secret, or a secret of another kind.
    ARCHIVE_SECRET_WRONG = "ARCHIVE_SECRET_WRONG"
    # The restore needs an empty store, and this store is not empty. Merge instead.
    STORE_NOT_EMPTY = "STORE_NOT_EMPTY"
    # The store belongs to no group; create one or join one.
    REPLICA_GROUP_ABSENT = "REPLICA_GROUP_ABSENT"
    # The device is not in the group, or was removed from it.
    REPLICA_DEVICE_NOT_FOUND = "REPLICA_DEVICE_NOT_FOUND"
    # A backup replaced the store, so the store is a new device. Leave the group and join it again.
    REPLICA_DEVICE_CHANGED = "REPLICA_DEVICE_CHANGED"
    # `clear_all_data` would take the store out of its group. Set `leave_replica_group`, or delete entries one by one.
    STORE_IN_REPLICA_GROUP = "STORE_IN_REPLICA_GROUP"
    # A fault of the daemon. The daemon's log has a line with the call, the connection and the error's message.
    INTERNAL = "INTERNAL"

    @classmethod
    def _missing_(cls, value: object) -> Reason | None:
        if not isinstance(value, str):
            return None
        unknown = str.__new__(cls, value)
        unknown._name_ = unknown._value_ = value
        return unknown

    @property
    def is_known(self) -> bool:
        """True if this version knows the reason."""
        return self._value_ in type(self).__members__


# The code of each reason, and True if the same call may succeed later without a change by a person.
CODES: dict[Reason, tuple[ErrorCode, bool]] = {
    Reason.FRAME_EMPTY: (ErrorCode.INVALID_ARGUMENT, False),
    Reason.FRAME_TOO_LARGE: (ErrorCode.RESOURCE_EXHAUSTED, False),
    Reason.FRAME_TRUNCATED: (ErrorCode.INVALID_ARGUMENT, False),
    Reason.FRAME_TIMEOUT: (ErrorCode.DEADLINE_EXCEEDED, False),
    Reason.REQUEST_MALFORMED: (ErrorCode.INVALID_ARGUMENT, False),
    Reason.REQUEST_TOO_LARGE: (ErrorCode.RESOURCE_EXHAUSTED, False),
    Reason.REQUEST_ID_IN_USE: (ErrorCode.ALREADY_EXISTS, False),
    Reason.CALL_UNKNOWN: (ErrorCode.UNIMPLEMENTED, False),
    Reason.INVALID_ARGUMENT: (ErrorCode.INVALID_ARGUMENT, False),
    Reason.DEADLINE_EXCEEDED: (ErrorCode.DEADLINE_EXCEEDED, True),
    Reason.IDEMPOTENCY_KEY_REUSED: (ErrorCode.ALREADY_EXISTS, False),
    Reason.RESPONSE_TOO_LARGE: (ErrorCode.RESOURCE_EXHAUSTED, False),
    Reason.PERMISSION_DENIED: (ErrorCode.PERMISSION_DENIED, False),
    Reason.TOO_MANY_CONNECTIONS: (ErrorCode.RESOURCE_EXHAUSTED, True),
    Reason.TOO_MANY_WATCHES: (ErrorCode.RESOURCE_EXHAUSTED, False),
    Reason.MEMORY_EXHAUSTED: (ErrorCode.RESOURCE_EXHAUSTED, True),
    Reason.QUEUE_FULL: (ErrorCode.RESOURCE_EXHAUSTED, True),
    Reason.SHUTTING_DOWN: (ErrorCode.UNAVAILABLE, True),
    Reason.CONVERSATION_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.MESSAGE_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.TOO_MANY_REACTIONS: (ErrorCode.RESOURCE_EXHAUSTED, False),
    Reason.ATTACHMENT_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.ATTACHMENT_CONTENT_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.ATTACHMENT_EVICTED: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.CONTACT_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.ALREADY_EXISTS: (ErrorCode.ALREADY_EXISTS, False),
    Reason.SCENE_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.SCENE_CONDITION_FAILED: (ErrorCode.ABORTED, False),
    Reason.LOG_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.LOG_FULL: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.LOG_MESSAGE_TOO_LARGE: (ErrorCode.INVALID_ARGUMENT, False),
    Reason.LOG_NOT_WRITABLE: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.FILE_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.DIRECTORY_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.PARENT_DIRECTORY_NOT_FOUND: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.DIRECTORY_NOT_EMPTY: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.FILE_CHANGED: (ErrorCode.ABORTED, False),
    Reason.FILE_DAMAGED: (ErrorCode.DATA_LOSS, False),
    Reason.SEARCH_INDEX_INCOMPLETE: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.FILE_WRITE_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.TOO_MANY_FILE_WRITES: (ErrorCode.RESOURCE_EXHAUSTED, True),
    Reason.FILE_QUOTA_EXCEEDED: (ErrorCode.RESOURCE_EXHAUSTED, False),
    Reason.CHANGES_COMPACTED: (ErrorCode.OUT_OF_RANGE, False),
    Reason.REVISION_AHEAD: (ErrorCode.OUT_OF_RANGE, False),
    Reason.WATCH_BACKLOG_EXCEEDED: (ErrorCode.RESOURCE_EXHAUSTED, True),
    Reason.HISTORY_CHANGED: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.STORE_ABSENT: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.STORE_EXISTS: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.STORE_LOCKED: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.STORE_ALREADY_OPEN: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.STORE_BUSY: (ErrorCode.UNAVAILABLE, True),
    Reason.DISK_FULL: (ErrorCode.RESOURCE_EXHAUSTED, True),
    Reason.KEYRING_DAMAGED: (ErrorCode.DATA_LOSS, False),
    Reason.DATABASE_DAMAGED: (ErrorCode.DATA_LOSS, False),
    Reason.JOURNAL_DAMAGED: (ErrorCode.DATA_LOSS, False),
    Reason.STORE_ROLLED_BACK: (ErrorCode.DATA_LOSS, False),
    Reason.NEWER_SCHEMA: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.STORAGE_FAILED: (ErrorCode.INTERNAL, False),
    Reason.WRONG_KEY: (ErrorCode.PERMISSION_DENIED, False),
    Reason.KEY_MISSING: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.UNLOCK_THROTTLED: (ErrorCode.RESOURCE_EXHAUSTED, True),
    Reason.LAST_KEY_SLOT: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.KEY_SLOT_CONFIGURED: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.KEY_SLOT_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.KEY_SLOTS_FULL: (ErrorCode.RESOURCE_EXHAUSTED, False),
    Reason.LOW_COST_REFUSED: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.BACKUP_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.BACKUP_DAMAGED: (ErrorCode.DATA_LOSS, False),
    Reason.BACKUP_INCOMPLETE: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.BACKUP_KEY_MISSING: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.TOO_MANY_BACKUPS: (ErrorCode.RESOURCE_EXHAUSTED, False),
    Reason.BLOB_DAMAGED: (ErrorCode.INVALID_ARGUMENT, False),
    Reason.BLOB_TIMESTAMP_OUT_OF_RANGE: (ErrorCode.OUT_OF_RANGE, False),
    Reason.BLOB_SECRET_WRONG: (ErrorCode.PERMISSION_DENIED, False),
    Reason.BLOB_SESSION_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.TOO_MANY_BLOB_SESSIONS: (ErrorCode.RESOURCE_EXHAUSTED, True),
    Reason.ARCHIVE_DAMAGED: (ErrorCode.INVALID_ARGUMENT, False),
    Reason.ARCHIVE_SECRET_WRONG: (ErrorCode.PERMISSION_DENIED, False),
    Reason.STORE_NOT_EMPTY: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.REPLICA_GROUP_ABSENT: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.REPLICA_DEVICE_NOT_FOUND: (ErrorCode.NOT_FOUND, False),
    Reason.REPLICA_DEVICE_CHANGED: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.STORE_IN_REPLICA_GROUP: (ErrorCode.FAILED_PRECONDITION, False),
    Reason.INTERNAL: (ErrorCode.INTERNAL, False),
}
