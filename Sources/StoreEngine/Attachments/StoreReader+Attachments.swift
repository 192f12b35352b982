import SQLCipher
import StoreBasics

extension StoreReader {
    /// A part of what is attached to a message.
    ///
    /// - Parameters:
    ///   - position: among the message's attachments, from 0.
    ///   - offset: at the end of the content and behind it there are no bytes.
    ///   - byteCount: as in `readFile`.
    /// - Throws: `.messageNotFound`; `.attachmentNotFound`; `.attachmentEvicted`; `.fileDamaged`.
    package func readAttachment(
        of message: EntityID, at position: UInt32, from offset: UInt64 = 0, byteCount: UInt64? = nil
    ) throws(StoreError) -> AttachmentPart {
        let clock = clock
        let (attachment, bytes) = try readContent(from: offset, byteCount: byteCount) {
            connection throws(StoreError) in
            guard let row = try connection.first(Self.attachedMessage, message), !clock.isOver(row, 0) else {
                throw StoreError(.messageNotFound, "there is no such message")
            }
            guard let list = row.optionalInteger(1),
                let found = try connection.first(Self.attachment, list, position)
            else { throw .attachmentNotFound }
            let attachment = try Attachment(found)
            guard let content = found.optionalInteger(6) else { throw .attachmentEvicted }
            return (attachment, content, attachment.byteCount)
        }
        return AttachmentPart(attachment: attachment, bytes: bytes)
    }

    private static let attachedMessage = StatementText(MessageRow.selectByID("m.expires_at, m.attachments"))
    private static let attachment = StatementText(Attachment.selectSQL + " WHERE a.list = ?1 AND a.position = ?2")
}

extension StoreError {
    fileprivate static var attachmentNotFound: StoreError {
        StoreError(.attachmentNotFound, "the message has no attachment of this position; get the message")
    }

    fileprivate static var attachmentEvicted: StoreError {
        StoreError(
            .attachmentEvicted,
            "the content of the attachment was evicted; fetch it again from its source, and write it")
    }
}
