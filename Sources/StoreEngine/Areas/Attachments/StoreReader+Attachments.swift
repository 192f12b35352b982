import SQLCipher
import StoreBasics

extension StoreReader {
    /// Reads a part of an attachment of a message into `room`.
    ///
    /// - Parameters:
    ///   - position: The position among the message's attachments, from 0.
    ///   - offset: The first byte to read. At the end of the content and after it there are no bytes.
    ///   - byteCount: The most bytes to read, as in `readFile`.
    ///   - expected: The digest that the content must have; `nil` for any. It is checked before the content is read.
    /// - Throws: `.messageNotFound`; `.attachmentNotFound`; `.fileChanged`; `.attachmentEvicted`; `.fileDamaged`.
    package func readAttachment(
        of message: EntityID, at position: UInt32, from offset: UInt64 = 0, byteCount: UInt64? = nil,
        expecting expected: AttachmentDigest? = nil, mayWait: Bool = true, into room: PieceRoom
    ) throws(StoreError) -> Attachment? {
        let (clock, cache) = (clock, attachmentCache)
        return try readContent(from: offset, byteCount: byteCount, mayWait: mayWait, into: room) {
            connection throws(StoreError) in
            guard let row = try connection.first(Self.attachedMessage, message), !clock.isOver(row, 0) else {
                throw StoreError(.messageNotFound, "there is no such message")
            }
            guard let list = row.optionalInteger(1),
                let found = try connection.first(Self.attachment, list, position)
            else { throw .attachmentNotFound }
            let attachment = try Attachment(found)
            guard expected == nil || expected == attachment.digest else {
                throw StoreError(
                    .fileChanged,
                    """
                    the attachment now has another content than expected; read the attachment again from its beginning
                    """)
            }
            guard let content = found.optionalInteger(6) else { throw .attachmentEvicted }
            cache.recordRead(of: content, at: clock.age)
            return (attachment, content, attachment.byteCount)
        }
    }

    /// Returns the attachments of a message in order, or the attachments of all messages of a conversation in reverse
    /// order: the newest message first, and for each message its last attachment first. A page ends before
    /// `EngineLimits.pageBytesMax` and, if it skips rows, after `EngineLimits.scanMilliseconds`.
    ///
    /// - Throws: `.messageNotFound`, `.conversationNotFound`; `.invalidArgument` for a limit out of range.
    package func attachments(_ query: AttachmentQuery) throws(StoreError) -> AttachmentPage {
        try PageLimit.check(query.limit)
        return try readSnapshot { connection throws(StoreError) in
            switch query.owner {
            case .message(let id):
                let row = try connection.first(Self.attachedMessage, id)
                guard let row, !clock.isOver(row, 0) else {
                    throw StoreError(.messageNotFound, "there is no such message")
                }
                guard let list = row.optionalInteger(1) else { return AttachmentPage() }
                return try page(
                    connection.rows(Self.ofMessage, list, query.withThumbnails, query.cursor?.position ?? -1), query)
            case .conversation(let reference):
                let conversation = try ConversationLookup.row(reference, in: connection)
                defer { withExtendedLifetime(conversation) {} }
                let start = query.cursor?.message ?? .end
                return try page(
                    connection.rows(
                        Self.ofConversation, conversation.integer(0), query.withThumbnails, start.timestamp,
                        start.id, query.cursor?.position ?? .max), query)
            }
        }
    }

    private func page(_ rows: borrowing Rows, _ query: AttachmentQuery) throws(StoreError) -> AttachmentPage {
        var page = AttachmentPage()
        var bytes = PageBytes()
        var scan = PageScan()
        var last: AttachmentCursor?
        while try rows.next() {
            let place = AttachmentCursor(
                message: MessageCursor(timestamp: rows.timestamp(9), id: try rows.name(8)),
                position: rows.integer(10))
            let attachment = try Attachment(rows)
            guard !clock.isOver(rows, 11), attachment.mimeType.text.utf8.starts(with: query.mimeTypePrefix.utf8) else {
                last = place
                guard scan.mayPassRow() else {
                    page.nextCursor = last
                    break
                }
                continue
            }
            let listed = ListedAttachment(
                messageID: try rows.name(8), position: rows.int(10), timestamp: rows.timestamp(9),
                attachment: attachment, thumbnail: rows.isNull(12) ? [] : rows.bytes(12))
            guard page.attachments.count < query.limit, bytes.admit(attachment.byteCountInList + listed.thumbnail.count)
            else {
                page.nextCursor = last
                break
            }
            page.attachments.append(listed)
            last = place
        }
        return page
    }

    private static func listSQL(_ condition: String) -> String {
        """
        SELECT \(Attachment.columns), m.id, a.timestamp, a.position, m.expires_at,
            CASE WHEN ?2 THEN a.thumbnail END
        FROM attachments AS a CROSS JOIN \(MessagePlace.joinedTable) ON m.conversation = a.conversation
            AND m.timestamp = a.timestamp AND m.id = a.message AND m.attachments = a.list
        CROSS JOIN attachment_contents AS c ON c.number = a.content
        WHERE \(condition)
        """
    }

    private static let ofMessage = StatementText(listSQL("a.list = ?1 AND a.position > ?3 ORDER BY a.position"))
    private static let ofConversation = StatementText(
        listSQL(
            """
            a.conversation = ?1 AND (a.timestamp, a.message, a.position) < (?3, ?4, ?5)
            ORDER BY a.timestamp DESC, a.message DESC, a.position DESC
            """))
    private static let attachedMessage = StatementText(MessageRow.selectByID("m.expires_at, m.attachments"))
    private static let attachment = StatementText(Attachment.selectSQL + " WHERE a.list = ?1 AND a.position = ?2")
}

extension StoreError {
    fileprivate static var attachmentNotFound: StoreError {
        StoreError(
            .attachmentNotFound,
            """
            the message has no attachment at this position; get the message to see its attachments
            """)
    }

    fileprivate static var attachmentEvicted: StoreError {
        StoreError(
            .attachmentEvicted,
            """
            the content of the attachment was removed to make room; fetch the content again from its source, and write \
            it
            """
        )
    }
}
