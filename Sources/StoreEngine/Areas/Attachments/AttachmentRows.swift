import SQLCipher
import StoreBasics

/// The rows of `attachments`: lists of attachments that were saved with one message or draft. A list never changes.
/// Attachments that are saved again are a new list, whose number is the revision that created it.
enum AttachmentRows {
    /// Inserts a list.
    ///
    /// - Parameters:
    ///   - list: The revision of the change that creates the list.
    ///   - place: The key of the message; `nil` for a draft.
    ///   - age: The store's present age.
    static func insert(
        _ attachments: [NewAttachment], list: Int64, at place: MessagePlace?, age: Int64, _ connection: Connection
    ) throws(StoreError) {
        for (position, attachment) in attachments.enumerated() {
            let content = try AttachmentContents.retain(attachment, at: age, connection)
            try connection.run(
                insertRow, list, position, place?.conversation, place?.timestamp, place?.id, content,
                attachment.name, attachment.mimeType.text, attachment.source,
                attachment.thumbnail.isEmpty ? nil : attachment.thumbnail,
                attachment.unknownFields.isEmpty ? nil : attachment.unknownFields, attachment.metadata?.bytes)
        }
    }

    /// Records the new key of the message that has the list.
    static func move(_ list: Int64, to place: MessagePlace, _ connection: Connection) throws(StoreError) {
        try connection.run(setPlace, list, place)
    }

    /// Returns the attachments of a list in order, without thumbnails.
    static func read(_ list: Int64, _ connection: Connection) throws(StoreError) -> [Attachment] {
        let rows = try connection.rows(selectList, list)
        var attachments: [Attachment] = []
        while try rows.next() {
            attachments.append(try Attachment(rows))
        }
        guard !attachments.isEmpty else { throw .databaseDamaged("attachments of a message are missing") }
        return attachments
    }

    /// Returns the attachments of a list in order, with everything except the contents.
    ///
    /// - Parameter list: `nil` for no attachments.
    static func readWhole(_ list: Int64?, _ connection: Connection) throws(StoreError) -> [NewAttachment] {
        guard let list else { return [] }
        let rows = try connection.rows(selectWhole, list)
        var attachments: [NewAttachment] = []
        while try rows.next() {
            let content = NewAttachment.Content.listed(
                AttachmentDigest(trusted: rows.bytes(0)), byteCount: UInt64(try rows.count(5)))
            attachments.append(
                try NewAttachment(
                    content, name: rows.text(1), mimeType: MIMEType(trusted: rows.text(2)),
                    thumbnail: rows.isNull(4) ? [] : rows.bytes(4), source: rows.optionalText(3),
                    metadata: rows.metadata(7), unknownFields: rows.isNull(6) ? [] : rows.bytes(6)))
        }
        guard !attachments.isEmpty else { throw .databaseDamaged("attachments of a message are missing") }
        return attachments
    }

    /// Returns whether a list has exactly these attachments. Fields of a later version are compared only for
    /// attachments from another store, because applications cannot give such fields.
    static func isSame(
        _ list: Int64?, as attachments: [NewAttachment], _ connection: Connection
    ) throws(StoreError) -> Bool {
        guard let list else { return attachments.isEmpty }
        guard !attachments.isEmpty else { return false }
        let rows = try connection.rows(selectWhole, list)
        var count = 0
        while try rows.next() {
            guard count < attachments.count else { return false }
            let attachment = attachments[count]
            let texts = [attachment.name, attachment.mimeType.text, attachment.source ?? ""]
            guard rows.borrowedBytes(0).hasSameBytes(as: attachment.digest.bytes),
                try [rows.text(1), rows.text(2), rows.optionalText(3) ?? ""].haveSameBytes(as: texts),
                rows.borrowedBytes(4).hasSameBytes(as: attachment.thumbnail),
                rows.borrowedBytes(7).hasSameBytes(as: attachment.metadata?.bytes ?? []),
                !attachment.isListed || rows.borrowedBytes(6).hasSameBytes(as: attachment.unknownFields)
            else { return false }
            count += 1
        }
        return count == attachments.count
    }

    private static let insertRow = StatementText(
        "INSERT INTO attachments VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")
    private static let setPlace = StatementText(
        "UPDATE OR FAIL attachments SET conversation = ?2, timestamp = ?3, message = ?4 WHERE list = ?1")
    private static let selectList = StatementText(
        Attachment.selectSQL + " WHERE a.list = ?1 ORDER BY a.position")
    private static let selectWhole = StatementText(
        """
        SELECT c.digest, a.name, a.mime_type, a.source, a.thumbnail, c.byte_count, a.unknown_fields, a.metadata
        FROM attachments AS a CROSS JOIN attachment_contents AS c ON c.number = a.content
        WHERE a.list = ?1 ORDER BY a.position
        """)
}

extension Attachment {
    static let columns =
        "a.name, a.mime_type, c.byte_count, c.digest, a.source, a.thumbnail IS NOT NULL, c.stored, a.metadata"
    static let selectSQL = """
        SELECT \(columns) FROM attachments AS a CROSS JOIN attachment_contents AS c ON c.number = a.content
        """

    /// - Parameter row: A row that begins with `columns`.
    init(_ row: borrowing Rows) throws(StoreError) {
        self.init(
            name: try row.text(0), mimeType: MIMEType(trusted: try row.text(1)), byteCount: UInt64(try row.count(2)),
            digest: AttachmentDigest(trusted: row.bytes(3)), source: try row.optionalText(4),
            hasThumbnail: row.bool(5), isStored: !row.isNull(6), metadata: row.metadata(7))
    }
}
