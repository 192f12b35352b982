/// Limits of single requests and of their answers. Limits that concern only one area, such as archives or backups, are
/// declared in that area.
package enum EngineLimits {
    /// The number of rows of a page if the caller gives none.
    package static let pageRowsDefault = 100
    /// The most rows that a client may request for one page.
    package static let pageRowsMax = 1_000
    /// The most rows of a page of messages that counts as short (`MessageQuery.mayBeShort`).
    package static let shortPageRowsMax = 100
    /// The size of texts and avatars at which a page of messages, conversations or contacts ends. A page with a single
    /// row may have more, because the row may have both an avatar and a text.
    package static let pageBytesMax = 4 << 20
    /// The most changes that a reader examines for one page of changes, and that a client may request.
    package static let changePageRowsMax = 10_000
    /// The most messages of one `saveMessages`, and the most ids of one request on many messages. They take about four
    /// milliseconds in one commit, for which all other writes wait.
    package static let requestEntitiesMax = 256
    /// The most bytes of a message's text, encoded as UTF-8.
    package static let messageTextBytesMax = 1 << 20
    /// The most bytes of a text that is stored in the row of its message. A longer text has a row of its own
    /// (`LongTexts`). The number is a part of the schema: changing it needs a migration that moves texts.
    package static let inlineTextBytesMax = 4_096
    /// The most bytes of the kind of a message or conversation, encoded as UTF-8.
    package static let kindBytesMax = 64
    /// The most bytes of the sender's name in a message, encoded as UTF-8.
    package static let senderNameBytesMax = 256
    /// The most bytes of metadata, without their media type.
    package static let metadataBytesMax = 64 << 10
    /// The most bytes of encoded metadata that are stored in the row of their message. Longer metadata are stored like
    /// long texts. Changing the number needs a migration, too.
    package static let inlineMetadataBytesMax = 1_024
    /// The most bytes of the display name of a contact or conversation, encoded as UTF-8.
    package static let displayNameBytesMax = 1_024
    /// The most bytes of a contact's notes, encoded as UTF-8.
    package static let notesBytesMax = 64 << 10
    /// The most bytes of the avatar of a contact or conversation.
    package static let avatarBytesMax = 4 << 20
    /// The most bytes of the attachment URL of a message or draft.
    package static let attachmentURLBytesMax = 4_096
    /// The most bytes of the attachment type of a message or draft.
    package static let attachmentTypeBytesMax = 256
    /// The most attachments of one message or draft.
    package static let attachmentsMax = 32
    /// The most bytes of an attachment's name, encoded as UTF-8.
    package static let attachmentNameBytesMax = 255
    /// The most bytes of the thumbnail of one attachment.
    package static let attachmentThumbnailBytesMax = 16 << 10
    /// The most bytes of the text that says where an attachment's content can be fetched again.
    package static let attachmentSourceBytesMax = 2_048
    /// The time for which a content is kept although no message or draft uses it: an hour.
    package static let attachmentGraceMicroseconds: Int64 = 3_600_000_000
    /// The time for which a content from an archive is kept although no message or draft uses it: a week, because its
    /// messages may be restored much later.
    package static let restoredAttachmentGraceMicroseconds: Int64 = 7 * 24 * attachmentGraceMicroseconds
    /// The most members of a conversation that requests can add. The limit ensures that an archive's record of a
    /// conversation has room for all members.
    package static let membersMax = 8_192
    /// The most different emoji in the reactions of a message.
    package static let messageEmojiMax = 64
    /// The most reactions of a message.
    package static let messageReactionsMax = 10_000
    /// The most bytes of a scene's value in its stored form.
    package static let sceneValueBytesMax = 1 << 20
    /// The deepest nesting in a scene's value, counting the outermost and the innermost value.
    package static let sceneValueNestingMax = 32
    /// The size of values at which a page of values ends.
    package static let sceneValuePageBytesMax = 4 << 20
    /// The most bytes of values that are read for a request that lists its keys.
    package static let sceneValuesBytesMax = 16 << 20
    /// The greatest maximum size that a log may be created with, in bytes.
    package static let logBytesMax: UInt64 = 1 << 40
    /// The most bytes of one entry of a log.
    package static let logMessageBytesMax = 8 << 20
    /// The size of entries at which a page of a log ends.
    package static let logPageBytesMax = 1 << 20
    /// The most bytes of a position among the log entries of all devices of a group: enough for several thousand
    /// devices.
    package static let logPlaceBytesMax = 64 << 10
    /// The most names in a path of the vault, so that directories are nested no deeper.
    package static let fileDepthMax = 128
    /// The most bytes of a path in the vault, including the separators.
    package static let filePathBytesMax = 4_096
    /// The most bytes of a file that is stored in the database: as many as one chunk of a larger file has.
    package static let inlineFileBytesMax = 64 << 10
    /// The most bytes of a file in the vault.
    package static let fileBytesMax: UInt64 = 1 << 44
    /// The most bytes that one read of a file returns, and that one piece of a write has.
    package static let filePieceBytesMax = 1 << 20
    /// The most runs of a file's chunks (`ChunkRun`). The next write to a file with more runs rewrites the whole file.
    package static let fileRunsMax = 512
    /// The number of idempotency keys that the store keeps for each user. A further key of the same user may replace
    /// the oldest. A key with a large answer counts as one more key for each KiB of the answer.
    package static let idempotencyKeysPerUser = 65_536
    /// The most requests that wait for the writer.
    package static let writeQueueRequestsMax = 16_384
    /// The most bytes of requests that wait for the writer.
    package static let writeQueueBytesMax = 64 << 20
    /// The most bytes of waiting messages to and from the replica group.
    package static let replicaQueueBytesMax = 32 << 20
    /// The time of work in milliseconds after which a commit is made, so that other users get their turn.
    package static let commitMilliseconds: UInt64 = 5
    /// The time of work in milliseconds after which a commit is made if other users are already waiting.
    package static let sharedCommitMilliseconds: UInt64 = 2
    /// The highest total cost of writes that share one commit; a write that costs more is committed alone. Each row and
    /// each KiB costs 1, which is about 15 microseconds.
    package static let groupCostMax = 512
    /// The worth of a turn in a queue, in the unit of `groupCostMax`.
    package static let turnCost = 64
    /// The most rows of one step of work that is done in several commits.
    package static let stepRowsMax = 256
    /// The number of displaced log entries that a commit deletes itself. The rows of further displaced entries are
    /// removed in steps of `stepRowsMax`. The number is twice what a full request displaces if all entries have the
    /// same size.
    package static let displacedRowsMax = 2 * requestEntitiesMax
    /// The most bytes of content that one step of work removes together, if the work is done in several commits. A
    /// larger value is removed alone.
    package static let stepBytesMax = 512 << 10
    /// The time in milliseconds after which a page ends if its list skips rows.
    package static let scanMilliseconds: UInt64 = 10
    /// The time in milliseconds after which a piece of an archive is returned, even if the piece is small or empty.
    package static let pieceMilliseconds: UInt64 = 100
    /// The most reads that wait for a reader thread.
    package static let readQueueRequestsMax = 8_192
    /// The time in milliseconds for which a request to lock the store waits for queued writes.
    package static let lockMilliseconds: UInt64 = 1_000
    /// The time in milliseconds for which the end of the daemon waits for queued writes.
    package static let shutDownMilliseconds: UInt64 = 10_000
    /// The page cache of the writer's connection in KiB.
    package static let writerCacheKibibytes = 4_096
    /// The page cache in KiB of each reader's connection. Each event loop and each reader thread has one.
    package static let readerCacheKibibytes = 8_192
    /// The time in milliseconds for which the writer waits for more work before it commits pages.
    package static let uncommittedMilliseconds = 1
    /// The most bytes of a request that an event loop may write itself.
    static let shortWriteBytesMax = 16 << 10
    /// The approximate size of the largest journal record of a request that an event loop may write itself, including
    /// the texts of the statements.
    static let shortRecordBytesMax = 24 << 10
    /// The disk space that is reserved for deletes when the disk is full: room for the changed pages of one batch.
    package static let diskReserveBytes = 4 << 20
    /// The size of the statements of a batch of writes above which the free disk space is checked before the batch is
    /// written.
    package static let largeGroupBytes = 512 << 10
    /// The free space that a batch of deletes needs on a full disk before it begins, because its pages are written
    /// after it was acknowledged.
    package static let diskGroupBytesMin = 1 << 20
    /// The free disk space besides the reserve at which a full disk counts as having room again.
    package static let diskRoomBytesMin = 1 << 20
}
