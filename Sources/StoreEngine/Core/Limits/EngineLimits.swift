/// Bounds of what the engine takes and gives in one request. Those of one area (blobs, backups) stand in the area.
package enum EngineLimits {
    /// Rows of a page when the caller names no number.
    package static let pageRowsDefault = 100
    /// Most rows a page may have.
    package static let pageRowsMax = 1_000
    /// Most rows of a page that may be called short.
    package static let shortPageRowsMax = 100
    /// Bytes of texts and avatars before which a page of messages, conversations or contacts ends. One of these alone
    /// may have more: an avatar and a text.
    package static let pageBytesMax = 4 << 20
    /// Most changes a page of changes may have.
    package static let changePageRowsMax = 10_000
    /// Most messages of one `saveMessages`, and ids of one request on many messages: about four milliseconds' work,
    /// which is one commit and keeps all others waiting.
    package static let requestEntitiesMax = 256
    /// Bytes of one message's text.
    package static let messageTextBytesMax = 1 << 20
    /// Bytes of a text that lies in the row of its message. A longer text lies in a row of its own (`LongTexts`). It is
    /// a part of the schema: another number needs a step of the schema that moves texts.
    package static let inlineTextBytesMax = 4_096
    /// Bytes of a display name.
    package static let displayNameBytesMax = 1_024
    /// Bytes of a contact's notes.
    package static let notesBytesMax = 64 << 10
    /// Bytes of an avatar.
    package static let avatarBytesMax = 4 << 20
    /// Bytes of an attachment's URL.
    package static let attachmentURLBytesMax = 4_096
    /// Bytes of an attachment's type.
    package static let attachmentTypeBytesMax = 256
    /// Attachments of one message or draft.
    package static let attachmentsMax = 32
    /// Bytes of an attachment's name.
    package static let attachmentNameBytesMax = 255
    /// Bytes of an attachment's thumbnail.
    package static let attachmentThumbnailBytesMax = 16 << 10
    /// Bytes of what says where an attachment's content can be fetched again.
    package static let attachmentSourceBytesMax = 2_048
    /// How long a content of attachments stays that nothing is saved with: an hour.
    package static let attachmentGraceMicroseconds: Int64 = 3_600_000_000
    /// The same of one that was restored from an archive, whose messages come much later: a week.
    package static let restoredAttachmentGraceMicroseconds: Int64 = 7 * 24 * attachmentGraceMicroseconds
    /// Different emoji that a message may have reactions of.
    package static let messageEmojiMax = 64
    /// Reactions that a message may have.
    package static let messageReactionsMax = 10_000
    /// Bytes of a scene's value as it is kept.
    package static let sceneValueBytesMax = 1 << 20
    /// Values inside one another in a scene's value, the outermost and the innermost counted.
    package static let sceneValueNestingMax = 32
    /// Bytes of values after which a page of them ends.
    package static let sceneValuePageBytesMax = 4 << 20
    /// Most bytes of values read for a request that names its keys.
    package static let sceneValuesBytesMax = 16 << 20
    /// Bytes a log may be made for.
    package static let logBytesMax: UInt64 = 1 << 40
    /// Bytes of one message of a log.
    package static let logMessageBytesMax = 8 << 20
    /// Bytes of messages after which a page of a log ends.
    package static let logPageBytesMax = 1 << 20
    /// Of a place among the entries of all devices of a group: some thousand devices.
    package static let logPlaceBytesMax = 64 << 10
    /// Names of a path in the vault, one inside the other.
    package static let fileDepthMax = 128
    /// Bytes of the names of a path in the vault, with one between each two.
    package static let filePathBytesMax = 4_096
    /// Bytes of a file that is kept in the database: one chunk of a larger one.
    package static let inlineFileBytesMax = 64 << 10
    /// Bytes of any file.
    package static let fileBytesMax: UInt64 = 1 << 44
    /// Bytes that one read of a file gives, and that one piece of a write has.
    package static let filePieceBytesMax = 1 << 20
    /// Parts that the chunks of a file may lie in: a file with more is written anew as a whole.
    package static let fileRunsMax = 512
    /// Idempotency keys that a user gives before one of its own may be forgotten; other users' do not count. One whose
    /// answer is large counts as another for each KiB of it.
    package static let idempotencyKeysPerUser = 65_536
    /// Requests that may wait for the writer.
    package static let writeQueueRequestsMax = 16_384
    /// Bytes that requests waiting for the writer may hold.
    package static let writeQueueBytesMax = 64 << 20
    /// The same of messages for the store's group and from it.
    package static let replicaQueueBytesMax = 32 << 20
    /// Milliseconds of work after which a commit is made and others get their turn.
    package static let commitMilliseconds: UInt64 = 5
    /// The same where others wait already.
    package static let sharedCommitMilliseconds: UInt64 = 2
    /// What writes that share one commit cost together; one that costs more is alone. Each of its rows counts as one,
    /// and so does each KiB: about 15 microseconds.
    package static let groupCostMax = 512
    /// What a turn in a queue is worth, in the same unit.
    package static let turnCost = 64
    /// Most rows of one step of work that is done in several commits.
    package static let stepRowsMax = 256
    /// Messages that a commit's appends to logs displace before their rows are removed in such steps: as many as come
    /// of a full request of messages of one size.
    package static let displacedRowsMax = 2 * requestEntitiesMax
    /// Bytes of content that one such step removes together; a larger value is removed alone.
    package static let stepBytesMax = 512 << 10
    /// Milliseconds after which a page of a list that passes rows over ends.
    package static let scanMilliseconds: UInt64 = 10
    /// Milliseconds after which a piece of an archive is handed on with what it has.
    package static let pieceMilliseconds: UInt64 = 100
    /// Reads that may wait for a reader thread.
    package static let readQueueRequestsMax = 8_192
    /// Milliseconds that queued writes may take before the store is locked.
    package static let lockMilliseconds: UInt64 = 1_000
    /// The same, before the daemon stops.
    package static let shutDownMilliseconds: UInt64 = 10_000
    /// Page cache of the writer's connection, in KiB.
    package static let writerCacheKibibytes = 4_096
    /// Page cache of each reader's connection, in KiB: one for each event loop and each reader thread.
    package static let readerCacheKibibytes = 8_192
    /// How long the writer waits for more before it commits pages, in milliseconds.
    package static let uncommittedMilliseconds = 1
    /// Bytes of a request that an event loop may write itself.
    static let shortWriteBytesMax = 16 << 10
    /// Bytes that the record of such a request may have about, with the texts of its statements.
    static let shortRecordBytesMax = 24 << 10
    /// Disk space kept for deletes when the disk is full: a group's worth of changed pages.
    package static let diskReserveBytes = 4 << 20
    /// Bytes of a group's statements from which it is asked beforehand whether the disk has room for its pages.
    package static let largeGroupBytes = 512 << 10
    /// Room that a full disk must have for a group of deletes before it is begun: its pages are written once it is
    /// answered.
    package static let diskGroupBytesMin = 1 << 20
    /// Disk space beside that with which a disk that was full counts as one with room again.
    package static let diskRoomBytesMin = 1 << 20
}
