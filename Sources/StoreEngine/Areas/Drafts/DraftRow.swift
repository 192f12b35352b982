import SQLCipher

/// The columns of a draft that applications set.
extension DraftContent: Bindable {
    static let columns = "d.text, d.attachment_url, d.attachment_type, d.reply_to"

    /// - Parameter row: A row that begins with `columns`.
    init(_ row: borrowing Rows) throws(StoreError) {
        self.init(
            text: try row.text(0), attachmentURL: try row.optionalText(1), attachmentType: try row.optionalText(2),
            replyToMessageID: try row.optionalText(3).map { EntityID(trusted: $0) })
    }

    func bind(to statement: Statement, _ index: inout Int) {
        text.bind(to: statement, &index)
        attachmentURL.bind(to: statement, &index)
        attachmentType.bind(to: statement, &index)
        replyToMessageID.bind(to: statement, &index)
    }
}

extension Draft {
    static let columns = "\(DraftContent.columns), d.updated_at, d.revision, c.id, d.attachments"

    /// - Parameter row: A row of `columns`.
    init(_ row: borrowing Rows, _ connection: Connection) throws(StoreError) {
        let list = row.optionalInteger(7)
        self.init(
            conversationID: try row.name(6), content: try DraftContent(row),
            attachments: try list.map { (list) throws(StoreError) in try AttachmentRows.read(list, connection) } ?? [],
            updatedAt: row.timestamp(4), revision: row.unsigned(5))
    }

    /// The number of bytes of the draft's texts.
    var byteCount: Int {
        var count = conversationID.text.utf8.count + content.text.utf8.count
        count += (content.attachmentURL?.utf8.count ?? 0) + (content.attachmentType?.utf8.count ?? 0)
        count += content.replyToMessageID?.text.utf8.count ?? 0
        return attachments.reduce(count) { $0 + $1.byteCountInList }
    }
}
