# Written by tools/generate.py from proto-docs; do not edit.
"""Why the daemon refuses: the words of proto-docs/ERRORS.md."""

from __future__ import annotations

from enum import Enum

from .model.errors import ErrorCode


class Reason(str, Enum):
    """Programs decide on this. A word that is not known here is kept: `Reason("NEW_WORD")`."""

    # A frame's length is 0. The connection is closed.
    FRAME_EMPTY = "FRAME_EMPTY"
    # A frame's length is above the daemon's maximum. The connection is closed.
    FRAME_TOO_LARGE = "FRAME_TOO_LARGE"
    # The peer closed its sending side in the middle of a frame. The connection is closed.
    FRAME_TRUNCATED = "FRAME_TRUNCATED"
    # A frame was begun and not sent to its end in time. The connection is closed.
    FRAME_TIMEOUT = "FRAME_TIMEOUT"
    # The payload is not a Request, names two calls, or gives a secret twice.
    REQUEST_MALFORMED = "REQUEST_MALFORMED"
    # The request has more bytes or entries than its call takes.
    REQUEST_TOO_LARGE = "REQUEST_TOO_LARGE"
    # A watch, or a read that waits for a log, with this request id runs on this connection.
    REQUEST_ID_IN_USE = "REQUEST_ID_IN_USE"
    # The request names no call this daemon knows.
    CALL_UNKNOWN = "CALL_UNKNOWN"
    # A field of the call is missing or out of its range; the message says which.
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    # The work was not begun before the request's deadline, or the list was not read by then; it has had no effect.
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    # The idempotency key was used for another call, or the same with other content; nothing was changed.
    IDEMPOTENCY_KEY_REUSED = "IDEMPOTENCY_KEY_REUSED"
    # The answer does not fit a frame; ask for less at once.
    RESPONSE_TOO_LARGE = "RESPONSE_TOO_LARGE"
    # The caller's user and groups have no right to this call.
    PERMISSION_DENIED = "PERMISSION_DENIED"
    # The caller's user has as many connections as are left for all others, or there are as many as allowed. The
    # connection is closed.
    TOO_MANY_CONNECTIONS = "TOO_MANY_CONNECTIONS"
    # The connection has as many watches or waiting reads as allowed, or its user as many as are left for all others.
    TOO_MANY_WATCHES = "TOO_MANY_WATCHES"
    # There was no memory for the frame in time (id 0, the connection is closed), or for the answer: requests and
    # answers under way hold as much as allowed.
    MEMORY_EXHAUSTED = "MEMORY_EXHAUSTED"
    # More work is waiting than the daemon queues.
    QUEUE_FULL = "QUEUE_FULL"
    # The daemon is stopping; connect again in a moment.
    SHUTTING_DOWN = "SHUTTING_DOWN"
    # There is no such conversation.
    CONVERSATION_NOT_FOUND = "CONVERSATION_NOT_FOUND"
    # There is no such message.
    MESSAGE_NOT_FOUND = "MESSAGE_NOT_FOUND"
    # The message has 10,000 reactions, or reactions of 64 different emoji: none was added.
    TOO_MANY_REACTIONS = "TOO_MANY_REACTIONS"
    # The message has no attachment of this position.
    ATTACHMENT_NOT_FOUND = "ATTACHMENT_NOT_FOUND"
    # An attachment names its content by a digest, and the content is not in the store: nothing was saved. Write it,
    # then save again.
    ATTACHMENT_CONTENT_NOT_FOUND = "ATTACHMENT_CONTENT_NOT_FOUND"
    # The content of the attachment made room for others, or did not come with its archive. Fetch it again from the
    # attachment's source, and write it.
    ATTACHMENT_EVICTED = "ATTACHMENT_EVICTED"
    # There is no such contact.
    CONTACT_NOT_FOUND = "CONTACT_NOT_FOUND"
    # The id or session id given for a new entity is taken by another; the new secret opens a key slot already; a file
    # or directory has the path.
    ALREADY_EXISTS = "ALREADY_EXISTS"
    # The scene has no values of its own.
    SCENE_NOT_FOUND = "SCENE_NOT_FOUND"
    # A condition on a scene's values does not hold: nothing was changed; read them again.
    SCENE_CONDITION_FAILED = "SCENE_CONDITION_FAILED"
    # There is no such append log, or its name is another log's by now.
    LOG_NOT_FOUND = "LOG_NOT_FOUND"
    # The log keeps its old messages and has no room for the new ones: none was appended.
    LOG_FULL = "LOG_FULL"
    # A message would not fit the log if it were empty: none was appended.
    LOG_MESSAGE_TOO_LARGE = "LOG_MESSAGE_TOO_LARGE"
    # The log was made with another configuration than the writer's.
    LOG_NOT_WRITABLE = "LOG_NOT_WRITABLE"
    # There is no file of this path, or a directory has it.
    FILE_NOT_FOUND = "FILE_NOT_FOUND"
    # There is no directory of this path, or a file has it.
    DIRECTORY_NOT_FOUND = "DIRECTORY_NOT_FOUND"
    # The directory that the path lies in is not there.
    PARENT_DIRECTORY_NOT_FOUND = "PARENT_DIRECTORY_NOT_FOUND"
    # The directory holds something, and was to be removed only if it is empty.
    DIRECTORY_NOT_EMPTY = "DIRECTORY_NOT_EMPTY"
    # The file is another one than `expected_revision` names, or has been written since; or it was written, copied or
    # removed since a write in pieces began, which has had no effect. Begin again. Of `copy_file`: what is copied was
    # removed, or the copy moved, before it was complete. Remove the part that is there, copy anew.
    FILE_CHANGED = "FILE_CHANGED"
    # The file's content is not on the disk as it was written; the rest of the store is as usable as before.
    FILE_DAMAGED = "FILE_DAMAGED"
    # The search index is being made anew, or made no sense and was given up: messages are all there, and searches in
    # one conversation mostly go on. `rebuild_search_index` makes it anew.
    SEARCH_INDEX_INCOMPLETE = "SEARCH_INDEX_INCOMPLETE"
    # No such write in pieces runs: it ended, failed, was 60 seconds unused, or the store was locked.
    FILE_WRITE_NOT_FOUND = "FILE_WRITE_NOT_FOUND"
    # As many writes in pieces run as allowed; try again later.
    TOO_MANY_FILE_WRITES = "TOO_MANY_FILE_WRITES"
    # The area of the vault may hold so many bytes, and what was to be written, moved or copied there does not fit:
    # nothing was changed. The message names the area, its room and what was wanted. Remove what it holds.
    FILE_QUOTA_EXCEEDED = "FILE_QUOTA_EXCEEDED"
    # Changes after the given revision are no longer kept; read the data itself again, or make an archive of
    # everything.
    CHANGES_COMPACTED = "CHANGES_COMPACTED"
    # The given revision lies in the future of this store; it was replaced, read the data itself again.
    REVISION_AHEAD = "REVISION_AHEAD"
    # The watcher did not take its events in time; watch again after the last revision it got.
    WATCH_BACKLOG_EXCEEDED = "WATCH_BACKLOG_EXCEEDED"
    # The store has another history than the request is about, or had when the watch, the read or the work of several
    # steps (`mark_conversation_read`, `remove_scene`) began: a backup took its place, or answered changes were given
    # up. Nothing was changed in it; read the data itself again.
    HISTORY_CHANGED = "HISTORY_CHANGED"
    # There is no store yet; initialize_store makes one.
    STORE_ABSENT = "STORE_ABSENT"
    # There is a store already.
    STORE_EXISTS = "STORE_EXISTS"
    # The store is locked, or was while the work ran; unlock opens it.
    STORE_LOCKED = "STORE_LOCKED"
    # The store is open already.
    STORE_ALREADY_OPEN = "STORE_ALREADY_OPEN"
    # Another program holds the store's files for a moment; nothing was changed. PROTOCOL.md, "The store's state", has
    # the calls.
    STORE_BUSY = "STORE_BUSY"
    # The disk is full: nothing was written. Reads and deletes still work.
    DISK_FULL = "DISK_FULL"
    # The keyring file is damaged; nothing was touched.
    KEYRING_DAMAGED = "KEYRING_DAMAGED"
    # The database, or the part asked for, is damaged. Nothing is written to it any more; what was answered before a
    # crash and needs a damaged page waits in the journal, and is not read meanwhile: what was deleted in it is there
    # again, also in exports and archives. So it is for who goes on from a revision that such a store cannot read.
    DATABASE_DAMAGED = "DATABASE_DAMAGED"
    # The journal is not as it was written, or a part of it is missing (its beginning: `STORE_ROLLED_BACK`): what was
    # answered cannot be told from it, and the store stays closed. Nothing was changed. Stop the daemon and copy its
    # state directory first, then put the folder `journal` back, or restore a backup; only if nothing else is left,
    # `unlock` with `accept_loss`, which loses what is missing.
    JOURNAL_DAMAGED = "JOURNAL_DAMAGED"
    # The database is older than what was answered, or another one than the journal's, or the beginning of the journal
    # is missing, which looks the same; the store stays closed, and nothing was changed. Stop the daemon and copy its
    # state directory first, then put the newer database back, or the folder `journal`, or restore a backup; only if
    # nothing else is left, `unlock` with `accept_loss`, which loses what is missing.
    STORE_ROLLED_BACK = "STORE_ROLLED_BACK"
    # The store was written by a newer daemon; nothing was touched.
    NEWER_SCHEMA = "NEWER_SCHEMA"
    # The operating system refused a file operation.
    STORAGE_FAILED = "STORAGE_FAILED"
    # The secret opens no slot of the keyring.
    WRONG_KEY = "WRONG_KEY"
    # The key the daemon is configured with is not there.
    KEY_MISSING = "KEY_MISSING"
    # Too many wrong passphrases; wait for details.retry_after_milliseconds.
    UNLOCK_THROTTLED = "UNLOCK_THROTTLED"
    # It is the last slot a person can use.
    LAST_KEY_SLOT = "LAST_KEY_SLOT"
    # The daemon opens the store with this slot at its start; `even_if_configured` removes it anyway.
    KEY_SLOT_CONFIGURED = "KEY_SLOT_CONFIGURED"
    # There is no such key slot.
    KEY_SLOT_NOT_FOUND = "KEY_SLOT_NOT_FOUND"
    # Every key slot is in use.
    KEY_SLOTS_FULL = "KEY_SLOTS_FULL"
    # Low-cost key derivation is not allowed by the daemon's configuration.
    LOW_COST_REFUSED = "LOW_COST_REFUSED"
    # There is no such backup.
    BACKUP_NOT_FOUND = "BACKUP_NOT_FOUND"
    # The backup is damaged or not a backup; the store was not touched.
    BACKUP_DAMAGED = "BACKUP_DAMAGED"
    # The upload of the backup is not complete.
    BACKUP_INCOMPLETE = "BACKUP_INCOMPLETE"
    # The backup needs a secret of its own keyring.
    BACKUP_KEY_MISSING = "BACKUP_KEY_MISSING"
    # As many backups are kept as allowed; delete one.
    TOO_MANY_BACKUPS = "TOO_MANY_BACKUPS"
    # The blob, or the sealed file around it, is not one, is damaged, or has not the size that was announced; the
    # message names the byte.
    BLOB_DAMAGED = "BLOB_DAMAGED"
    # A message of the blob has a time that microseconds cannot hold; the message names the byte.
    BLOB_TIMESTAMP_OUT_OF_RANGE = "BLOB_TIMESTAMP_OUT_OF_RANGE"
    # The sealed blob needs a secret, or another one or another kind than was given.
    BLOB_SECRET_WRONG = "BLOB_SECRET_WRONG"
    # No such export or import runs: it ended, 30 seconds unused or after an hour; the store was locked; or an export
    # kept the write-ahead log from being emptied while 48 MiB were written to it.
    BLOB_SESSION_NOT_FOUND = "BLOB_SESSION_NOT_FOUND"
    # As many exports and imports, archives and restores among them, run as allowed; try again later.
    TOO_MANY_BLOB_SESSIONS = "TOO_MANY_BLOB_SESSIONS"
    # The archive, or the sealed file around it, is not one, is damaged, or is not whole; the message names the byte.
    ARCHIVE_DAMAGED = "ARCHIVE_DAMAGED"
    # The sealed archive needs a secret, or another one or another kind than was given.
    ARCHIVE_SECRET_WRONG = "ARCHIVE_SECRET_WRONG"
    # What is restored into an empty store only was begun in one that holds something; merge it.
    STORE_NOT_EMPTY = "STORE_NOT_EMPTY"
    # The store belongs to no group; make one or join one.
    REPLICA_GROUP_ABSENT = "REPLICA_GROUP_ABSENT"
    # The group has no such device, or has removed it.
    REPLICA_DEVICE_NOT_FOUND = "REPLICA_DEVICE_NOT_FOUND"
    # A backup took the store's place, which makes it another device than the group knows; leave the group and join it
    # anew.
    REPLICA_DEVICE_CHANGED = "REPLICA_DEVICE_CHANGED"
    # `clear_all_data` would take the store out of its group: ask for that with `leave_replica_group`, or delete
    # things one by one, which deletes them on all devices.
    STORE_IN_REPLICA_GROUP = "STORE_IN_REPLICA_GROUP"
    # A fault of the daemon. Its log has a line with the call, the connection and this message.
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
        """Whether it is one of the words above."""
        return self._value_ in type(self).__members__


# The code that each reason has, and whether it may be gone without anybody doing something.
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
