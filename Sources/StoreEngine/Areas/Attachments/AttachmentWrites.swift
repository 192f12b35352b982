import SQLCipher
import StoreBasics
import StoreCrypto

/// The part of a transaction that saves, keeps and deletes attachments of messages and drafts.
final class AttachmentWrites: TransactionWork {
    let transaction: Transaction
    let contents: ContentReleases
    let leftovers: Leftovers
    let expiries: ExpiryWrites
    /// True if the transaction may have increased the stored bytes of attachments, so that some may have to be evicted.
    var hasStoredAttachments = false

    init(_ transaction: Transaction, _ contents: ContentReleases, _ leftovers: Leftovers, _ expiries: ExpiryWrites) {
        self.transaction = transaction
        self.contents = contents
        self.leftovers = leftovers
        self.expiries = expiries
    }
}

extension AttachmentWrites {
    /// Checks attachments before anything is written, so that common failures need no rollback.
    ///
    /// - Throws: `.requestTooLarge` for too many attachments; `.attachmentContentNotFound`.
    func check(_ attachments: [NewAttachment]) throws(StoreError) {
        guard !attachments.isEmpty else { return }
        guard attachments.count <= EngineLimits.attachmentsMax else {
            throw .tooMany(attachments.count, "attachments of one message", countMax: EngineLimits.attachmentsMax)
        }
        for attachment in attachments {
            try AttachmentContents.check(attachment, connection)
        }
    }

    func checkAttachments(of messages: [NewMessage]) throws(StoreError) {
        var count = 0
        for message in messages {
            try check(message.attachments)
            count += message.attachments.count
        }
        if count > 0 {
            try FieldLimits.checkCount(count, named: "attachments")
        }
    }

    /// Replaces the attachments of a message or draft.
    ///
    /// - Parameters:
    ///   - list: The new list; `nil` for none.
    ///   - old: The previous list.
    func replaceAttachments(
        _ old: Int64?, by attachments: [NewAttachment], list: Int64?, at place: MessagePlace?
    ) throws(StoreError) {
        if let list, list != old {
            try AttachmentRows.insert(attachments, list: list, at: place, age: clock.age, connection)
            hasStoredAttachments = true
        } else if list != nil {
            // The list does not change, but its contents may have been evicted, so store the missing bytes again.
            try storeAgain(attachments)
            hasStoredAttachments = true
        }
        if let old, list != old {
            try leaveAttachmentsBehind(old)
        }
    }

    private func storeAgain(_ attachments: [NewAttachment]) throws(StoreError) {
        for attachment in attachments {
            guard case .bytes(let bytes, let digest) = attachment.content else { continue }
            try AttachmentContents.store(digest, byteCount: UInt64(bytes.count), at: clock.age, connection) {
                (number, connection) throws(StoreError) in
                try FileContents.insert(bytes, number: number, connection)
            }
        }
    }

    /// Stores a content that was written in parts. It is kept for a time so that a message or a draft can be saved with
    /// it.
    ///
    /// - Returns: A commit with the digest as its id and without a change, because readers cannot see the content.
    func keepAttachmentContent(
        _ digest: AttachmentDigest, byteCount: UInt64, _ content: FileCompletion.Content
    ) throws(StoreError) -> Commit {
        let isTaken = try keep(digest, byteCount: byteCount, for: EngineLimits.attachmentGraceMicroseconds) {
            (number, connection) throws(StoreError) in
            switch content {
            case .database(let bytes): try FileContents.insert(bytes, number: number, connection)
            case .new(let content): try FileContents.insert(content, number: number, connection)
            case .unchanged, .rewritten: throw .fault("an attachment must get a new content")
            }
        }
        if case .new(let content) = content, !isTaken {
            // The store has the content already, so the file that was written is not needed.
            contents.releasedContents.append(content.header.id)
        }
        var commit = Commit()
        commit.ids = [digest.hexadecimal]
        return commit
    }

    /// Stores the bytes of a content unless the store has them, and keeps them for a time although no attachment has
    /// them.
    ///
    /// - Returns: True if `insert` was called.
    func keep(
        _ digest: AttachmentDigest, byteCount: UInt64, for graceMicroseconds: Int64,
        _ insert: (Int64, Connection) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        let expiresAt = clock.age + graceMicroseconds
        var isTaken = false
        let number = try AttachmentContents.store(
            digest, byteCount: byteCount, at: clock.age, expiringAt: expiresAt, connection
        ) { (number, connection) throws(StoreError) in
            isTaken = true
            try insert(number, connection)
        }
        try AttachmentContents.keepUntil(expiresAt, number, connection)
        expiries.scheduleRetention(dueAt: expiresAt, orAnchorAt: clock.age)
        hasStoredAttachments = true
        return isTaken
    }

    /// Handles contents whose grace period is over: deletes a content that no attachment has, and otherwise ends its
    /// grace period.
    ///
    /// - Returns: The number of contents that were handled.
    func removeExpiredContents(at age: Int64, atMost count: Int) throws(StoreError) -> Int {
        var removedCount = 0
        while removedCount < count, !slice.isOver,
            let expired = try AttachmentContents.firstExpired(at: age, connection)
        {
            removedCount += 1
            guard !expired.isBound else {
                try AttachmentContents.endGrace(expired.content.number, connection)
                hasStoredAttachments = true
                continue
            }
            try AttachmentContents.delete(expired.content.number, connection)
            if let stored = expired.content.stored {
                try contents.release(stored)
            }
        }
        return removedCount
    }

    /// Leaves the list of a deleted message or draft to background maintenance, which also releases its contents.
    func leaveAttachmentsBehind(_ list: Int64) throws(StoreError) {
        try leftovers.leaveBehind(.attachments, list...list)
    }
}

/// The attachments of a draft that is deleted with its conversation.
extension AttachmentWrites {
    func leaveAttachmentsBehind(ofDraftIn conversation: Int64) throws(StoreError) {
        if let list = try connection.first(Self.listOfDraft, conversation)?.optionalInteger(0) {
            try leaveAttachmentsBehind(list)
        }
    }

    private static let listOfDraft = StatementText(
        "SELECT attachments FROM conversation_drafts WHERE conversation = ?1")
}
