import SQLCipher
import StoreBasics

/// The walk over the contents of attachments of messages and drafts, in the order of their numbers. Each content comes
/// before its bytes.
///
/// The attachments are read first, to find the contents to include. A content is left out if no row refers to it, or
/// only rows that wait for removal. If there are very many contents, the attachments are read again for the contents
/// with greater numbers.
struct ArchiveContentWalk {
    private enum Place {
        case messages(afterList: Int64)
        case drafts(afterConversation: Int64)
        case others(afterList: Int64)
        case contents(after: Int64)
        case ended
    }

    private var place: Place
    private let firstList: Int64
    private let otherLists: SortedTable<Int64, Void>
    private let clock: StoreClock
    private let contentsPerPass: Int
    /// The found contents: those with the least numbers among the contents that were not passed to `body` yet.
    private var found = SortedTable<Int64, Void>()
    /// True if more contents exist than `found` contains.
    private var isCut = false
    /// The number of the last content of the previous passes.
    private var given = Int64.min
    private var pieces: ArchivePieces?

    /// - Parameters:
    ///   - list: Only contents of attachment lists with greater numbers are included.
    ///   - others: Further attachment lists whose contents are included.
    ///   - contentsPerPass: The most contents in memory, about 12 bytes each.
    init(
        _ clock: StoreClock, afterList list: Int64 = .min, _ others: SortedTable<Int64, Void> = SortedTable(),
        contentsPerPass: Int = 1 << 20
    ) {
        self.clock = clock
        firstList = list
        otherLists = others
        self.contentsPerPass = contentsPerPass
        place = .messages(afterList: list)
    }

    /// Passes some of the next records to `body`.
    ///
    /// - Returns: False at the end.
    mutating func readPage(
        _ connection: Connection, _ contents: OpenContents, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        switch place {
        case .messages(let list): try findOfMessages(after: list, connection)
        case .drafts(let conversation): try findOfDrafts(after: conversation, connection)
        case .others(let list): try findOfOthers(after: list, connection)
        case .contents(let number): try readContents(after: number, connection, contents, body)
        case .ended: return false
        }
        return true
    }

    private mutating func addContent(_ number: Int64) {
        guard number > given else { return }
        guard found.count < contentsPerPass || number < found.lastKey ?? number else {
            isCut = isCut || found[number] == nil
            return
        }
        found.set(number, ())
        if found.count > contentsPerPass {
            found.removeLast()
            isCut = true
        }
    }

    private mutating func findOfMessages(after list: Int64, _ connection: Connection) throws(StoreError) {
        let slice = WorkSlice.ofScan
        var last = list
        let rows = try connection.rows(Self.ofMessages, list)
        while try rows.next() {
            // The walk may pause after a list, but not within it.
            guard last == list || rows.integer(0) == last || !slice.isOver else {
                place = .messages(afterList: last)
                return
            }
            last = rows.integer(0)
            if !clock.isOver(rows, 2) {
                addContent(rows.integer(1))
            }
        }
        place = .drafts(afterConversation: .min)
    }

    private mutating func findOfDrafts(after conversation: Int64, _ connection: Connection) throws(StoreError) {
        let slice = WorkSlice.ofScan
        var last = conversation
        let rows = try connection.rows(Self.ofDrafts, conversation, firstList)
        while try rows.next() {
            guard last == conversation || rows.integer(0) == last || !slice.isOver else {
                place = .drafts(afterConversation: last)
                return
            }
            last = rows.integer(0)
            if let content = rows.optionalInteger(1) {
                addContent(content)
            }
        }
        place = .others(afterList: .min)
    }

    private mutating func findOfOthers(after list: Int64, _ connection: Connection) throws(StoreError) {
        let slice = WorkSlice.ofScan
        var last = list
        while let (list, _) = otherLists.first(after: last) {
            last = list
            let rows = try connection.rows(Self.ofList, list)
            while try rows.next() {
                addContent(rows.integer(0))
            }
            guard !slice.isOver else {
                place = .others(afterList: last)
                return
            }
        }
        place = .contents(after: .min)
    }

    private mutating func readContents(
        after number: Int64, _ connection: Connection, _ contents: OpenContents,
        _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        let slice = WorkSlice.ofScan
        var (last, bytes) = (number, 0)
        while bytes < ArchiveLimits.pageBytes, !slice.isOver {
            var record: ArchiveRecord?
            if let piece = try pieces?.next(connection, contents) {
                record = .filePiece(piece)
            } else if let (number, _) = found.first(after: last) {
                last = number
                record = try begin(number, connection)
            } else {
                return endPass()
            }
            if let record {
                try body(record)
                bytes += record.byteCount
            }
        }
        place = .contents(after: last)
    }

    private mutating func endPass() {
        guard isCut, let last = found.lastKey else {
            place = .ended
            return
        }
        (given, isCut, found) = (last, false, SortedTable())
        place = .messages(afterList: firstList)
    }

    /// - Returns: `nil` for an evicted content. The archive contains only the digest of such a content, in the
    ///   attachments that have it.
    private mutating func begin(_ number: Int64, _ connection: Connection) throws(StoreError) -> ArchiveRecord? {
        guard let row = try connection.first(Self.content, number) else {
            throw .databaseDamaged("the contents of attachments are missing")
        }
        guard let stored = row.optionalInteger(2) else { return nil }
        let byteCount = UInt64(try row.count(1))
        pieces = ArchivePieces(of: stored, byteCount: byteCount)
        return .content(ArchivedContent(digest: AttachmentDigest(trusted: row.bytes(0)), byteCount: byteCount))
    }

    private static let ofMessages = StatementText(
        """
        SELECT a.list, a.content, m.expires_at FROM attachments AS a
        CROSS JOIN \(MessagePlace.joinedTable) ON m.conversation = a.conversation
            AND m.timestamp = a.timestamp AND m.id = a.message AND m.attachments = a.list
        CROSS JOIN conversations AS c ON c.number = m.conversation
        WHERE a.list > ?1 ORDER BY a.list, a.position
        """)
    private static let ofDrafts = StatementText(
        """
        SELECT d.conversation, a.content FROM conversation_drafts AS d
        LEFT JOIN attachments AS a ON a.list = d.attachments AND d.attachments > ?2
        WHERE d.conversation > ?1 ORDER BY d.conversation
        """)
    private static let ofList = StatementText("SELECT content FROM attachments WHERE list = ?1")
    private static let content = StatementText(
        "SELECT digest, byte_count, stored FROM attachment_contents WHERE number = ?1")
}
