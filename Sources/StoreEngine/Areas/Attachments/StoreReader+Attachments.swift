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

    /// Returns the attachments of a message in order; or of all messages of a conversation in reverse order: the newest
    /// message first, and for each message its last attachment first; or of all messages of the store, the largest
    /// first (`AttachmentSizePlace`). A page ends before `EngineLimits.pageBytesMax` and, if it skips rows, after
    /// `EngineLimits.scanMilliseconds`.
    ///
    /// - Throws: `.messageNotFound`, `.conversationNotFound`; `.invalidArgument` for a limit out of range or a foreign
    ///   cursor.
    package func attachments(_ query: AttachmentQuery) throws(StoreError) -> AttachmentPage {
        try PageLimit.check(query.limit)
        return try readSnapshot { connection throws(StoreError) in
            var list = AttachmentList(query, clock)
            switch query.owner {
            case .message(let id):
                let row = try connection.first(Self.attachedMessage, id)
                guard let row, !clock.isOver(row, 0) else {
                    throw StoreError(.messageNotFound, "there is no such message")
                }
                let (_, position) = try query.start ?? (.first, -1)
                if let number = row.optionalInteger(1) {
                    try list.fill(connection.rows(Self.ofMessage, number, query.withThumbnails, position))
                }
            case .conversation(let reference):
                let conversation = try ConversationLookup.row(reference, in: connection)
                let (message, position) = try query.start ?? (.end, .max)
                try list.fill(
                    connection.rows(
                        Self.ofConversation, conversation.integer(0), query.withThumbnails, message.timestamp,
                        message.id, position))
                withExtendedLifetime(conversation) {}
            case .store:
                try fill(&list, from: try query.startBySize ?? .first, connection)
            }
            return list.page
        }
    }

    /// Fills a page of the list of the store, content by content.
    private func fill(
        _ list: inout AttachmentList, from start: AttachmentSizePlace, _ connection: Connection
    ) throws(StoreError) {
        let contents = try connection.rows(Self.contents, start.byteCount, start.content)
        while !list.isOver, try contents.next() {
            let (content, byteCount) = (contents.integer(0), contents.integer(1))
            let isPartlyListed = content == start.content && byteCount == start.byteCount
            try list.fill(
                connection.rows(
                    Self.ofContent, content, list.query.withThumbnails, isPartlyListed ? start.list : .max,
                    isPartlyListed ? start.position : .max),
                of: (content, byteCount))
        }
    }

    /// - Parameter condition: The condition and the order. It may use the parameters except `?2`.
    private static func listSQL(_ condition: String) -> String {
        """
        SELECT \(Attachment.columns), a.message, a.timestamp, a.position, m.expires_at,
            CASE WHEN ?2 THEN a.thumbnail END, v.id, a.list
        FROM attachments AS a LEFT JOIN \(MessagePlace.joinedTable) ON m.conversation = a.conversation
            AND m.timestamp = a.timestamp AND m.id = a.message AND m.attachments = a.list
        LEFT JOIN conversations AS v ON v.number = m.conversation
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
    private static let contents = StatementText(
        """
        SELECT number, byte_count FROM attachment_contents WHERE (byte_count, number) <= (?1, ?2)
        ORDER BY byte_count DESC, number DESC
        """)
    private static let ofContent = StatementText(
        listSQL(
            """
            a.content = ?1 AND a.conversation IS NOT NULL AND (a.list, a.position) < (?3, ?4)
            ORDER BY a.list DESC, a.position DESC
            """))
    private static let attachedMessage = StatementText(MessageRow.selectByID("m.expires_at, m.attachments"))
    private static let attachment = StatementText(Attachment.selectSQL + " WHERE a.list = ?1 AND a.position = ?2")
}

extension AttachmentQuery {
    /// The position after which a page of a message or conversation begins; `nil` without a cursor.
    fileprivate var start: (message: MessageCursor, position: Int64)? {
        get throws(StoreError) {
            guard let cursor else { return nil }
            guard case .message(let message, let position) = cursor else { throw .foreignCursor }
            return (message, position)
        }
    }

    /// The position after which a page of the store begins; `nil` without a cursor.
    fileprivate var startBySize: AttachmentSizePlace? {
        get throws(StoreError) {
            guard let cursor else { return nil }
            guard case .size(let place) = cursor else { throw .foreignCursor }
            return place
        }
    }
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
