import SQLCipher
import StoreBasics

/// A page of attachments that is being filled.
struct AttachmentList {
    let query: AttachmentQuery
    private(set) var page = AttachmentPage()
    private let clock: StoreClock
    private var last: AttachmentCursor?
    private var bytes = PageBytes()
    private var scan = PageScan()

    init(_ query: AttachmentQuery, _ clock: StoreClock) {
        self.query = query
        self.clock = clock
    }

    /// True if the page takes no more attachments.
    var isOver: Bool { page.nextCursor != nil }

    /// Appends the attachments of a message or conversation.
    ///
    /// - Parameter rows: Rows of `StoreReader.listSQL`.
    mutating func fill(_ rows: borrowing Rows) throws(StoreError) {
        while !isOver, try rows.next() {
            let message = MessageCursor(timestamp: rows.timestamp(9), id: try rows.name(8))
            try append(rows, at: .message(message, position: rows.integer(10)))
        }
    }

    /// Appends the attachments with one content.
    mutating func fill(
        _ rows: borrowing Rows, of content: (number: Int64, byteCount: Int64)
    ) throws(StoreError) {
        func place(_ list: Int64, _ position: Int64) -> AttachmentCursor {
            .size(
                AttachmentSizePlace(
                    byteCount: content.byteCount, content: content.number, list: list, position: position))
        }
        let count = page.attachments.count
        while !isOver, try rows.next() {
            try append(rows, at: place(rows.integer(14), rows.integer(10)))
        }
        if !isOver, page.attachments.count == count {
            // The list shows no attachment with this content. A page that ends here continues with the next content.
            skip(place(.min, .min))
        }
    }

    private mutating func append(_ rows: borrowing Rows, at place: AttachmentCursor) throws(StoreError) {
        // A deleted message, or a message of a deleted conversation, leaves its attachments behind for a while.
        guard !rows.isNull(13), !clock.isOver(rows, 11) else { return skip(place) }
        guard try rows.text(1).utf8.starts(with: query.mimeTypePrefix.utf8) else { return skip(place) }
        let attachment = try Attachment(rows)
        let listed = ListedAttachment(
            messageID: try rows.name(8), conversationID: try rows.name(13), position: rows.int(10),
            timestamp: rows.timestamp(9), attachment: attachment, thumbnail: rows.isNull(12) ? [] : rows.bytes(12))
        guard page.attachments.count < query.limit, bytes.admit(attachment.byteCountInList + listed.thumbnail.count)
        else {
            page.nextCursor = last
            return
        }
        page.attachments.append(listed)
        last = place
    }

    private mutating func skip(_ place: AttachmentCursor) {
        last = place
        if !scan.mayPassRow() {
            page.nextCursor = place
        }
    }
}
