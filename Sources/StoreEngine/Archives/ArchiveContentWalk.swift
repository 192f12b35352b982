import SQLCipher
import StoreBasics

/// The walk over the contents that attachments of messages and drafts have, each before its bytes. First the attachments
/// are gone through: what only rows have that wait for their removal, or nothing yet, stays out.
struct ArchiveContentWalk {
    private enum Place {
        case messages(afterList: Int64)
        case drafts
        case contents
        case ended
    }

    private var place: Place
    private let firstList: Int64
    private let clock: StoreClock
    private var found: Set<Int64> = []
    /// Contents that are still to come, the next one last.
    private var rest: [Int64] = []
    private var pieces: ArchivePieces?

    init(_ clock: StoreClock) {
        self.clock = clock
        firstList = .min
        place = .messages(afterList: firstList)
    }

    /// Gives some of the records that come next.
    ///
    /// - Returns: false when there are no more.
    mutating func readPage(
        _ connection: Connection, _ contents: OpenContents, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        switch place {
        case .messages(let list): try findOfMessages(after: list, connection)
        case .drafts:
            let rows = try connection.rows(Self.ofDrafts, firstList)
            while try rows.next() {
                found.insert(rows.integer(0))
            }
            rest = found.sorted(by: >)
            found = []
            place = .contents
        case .contents:
            var bytes = 0
            while bytes < ArchiveLimits.pageBytes {
                guard let record = try next(connection, contents) else {
                    place = .ended
                    return false
                }
                try body(record)
                bytes += record.byteCount
            }
        case .ended: return false
        }
        return true
    }

    private mutating func findOfMessages(after list: Int64, _ connection: Connection) throws(StoreError) {
        var (last, count) = (list, 0)
        let rows = try connection.rows(Self.ofMessages, list)
        while try rows.next() {
            // Behind a list, not within it.
            guard count < Self.rowsPerPage || rows.integer(0) == last else {
                place = .messages(afterList: last)
                return
            }
            last = rows.integer(0)
            count += 1
            if !clock.isOver(rows, 2) {
                found.insert(rows.integer(1))
            }
        }
        place = .drafts
    }

    private mutating func next(
        _ connection: Connection, _ contents: OpenContents
    ) throws(StoreError) -> ArchiveRecord? {
        if let piece = try pieces?.next(connection, contents) {
            return .filePiece(piece)
        }
        while let number = rest.popLast() {
            guard let row = try connection.first(Self.content, number) else {
                throw .databaseDamaged("attachments lack what is known of their content")
            }
            // One that was evicted is named by its attachments only.
            guard let stored = row.optionalInteger(2) else { continue }
            let byteCount = UInt64(try row.count(1))
            pieces = ArchivePieces(of: stored, byteCount: byteCount)
            return .content(
                ArchivedContent(digest: AttachmentDigest(trusted: row.bytes(0)), byteCount: byteCount))
        }
        return nil
    }

    private static let rowsPerPage = 1_000
    private static let ofMessages = StatementText(
        """
        SELECT a.list, a.content, m.expires_at FROM attachments AS a
        CROSS JOIN messages AS m ON m.conversation = a.conversation AND m.timestamp = a.timestamp
            AND m.sequence = a.sequence AND m.attachments = a.list
        CROSS JOIN conversations AS c ON c.number = m.conversation
        WHERE a.list > ?1 ORDER BY a.list, a.position
        """)
    private static let ofDrafts = StatementText(
        """
        SELECT a.content FROM conversation_drafts AS d CROSS JOIN attachments AS a ON a.list = d.attachments
        WHERE d.attachments > ?1
        """)
    private static let content = StatementText(
        "SELECT digest, byte_count, stored FROM attachment_contents WHERE number = ?1")
}
