import SQLCipher
import StoreBasics

/// The matches among messages that the index does not contain yet or contains with an old text.
struct SearchRest {
    /// The matches, newest first.
    private(set) var found: [Posting] = []
    /// The sequences of messages that the index contains with an old text. If the index proposes one of them, the
    /// proposal is ignored.
    private(set) var outdated: Set<Int64> = []

    /// Returns `nil` if there are too many messages without a current index entry to check them in the time of one
    /// page.
    init?(
        _ state: SearchIndexState, _ matcher: inout SearchMatcher, _ connection: Connection
    ) throws(StoreError) {
        var scan = PageScan()
        guard try collectOutdated(&matcher, &scan, connection),
            try collectNew(after: state.indexedThrough, &matcher, &scan, connection)
        else { return nil }
        found.sort(by: >)
    }

    private mutating func collectOutdated(
        _ matcher: inout SearchMatcher, _ scan: inout PageScan, _ connection: Connection
    ) throws(StoreError) -> Bool {
        let rows = try connection.rows(Self.outdatedMessages)
        while try rows.next() {
            outdated.insert(rows.integer(0))
            guard try look(at: try rows.text(1), sequence: rows.integer(0), &matcher, &scan, connection) else {
                return false
            }
        }
        return true
    }

    private mutating func collectNew(
        after revision: Int64, _ matcher: inout SearchMatcher, _ scan: inout PageScan, _ connection: Connection
    ) throws(StoreError) -> Bool {
        let rows = try connection.rows(NewMessages.commitsAfter, revision + 1)
        while try rows.next() {
            let first = rows.integer(0)
            for (offset, entry) in try ChangeCodec.decode(rows.borrowedBytes(1)).enumerated() {
                let sequence = first + Int64(offset)
                guard sequence > revision, entry.kind == .message, entry.operation == .created else { continue }
                guard try look(at: entry.id, sequence: sequence, &matcher, &scan, connection) else { return false }
            }
            guard scan.mayPassRow() else { return false }
        }
        return true
    }

    /// Checks one message.
    ///
    /// - Returns: false if time is over.
    private mutating func look(
        at id: String, sequence: Int64, _ matcher: inout SearchMatcher, _ scan: inout PageScan, _ connection: Connection
    ) throws(StoreError) -> Bool {
        guard let row = try connection.first(Self.messageByID, EntityID(trusted: id)), row.integer(2) == sequence else {
            return scan.mayPassRow()
        }
        if try matcher.matches(row) {
            found.append(try Posting(row))
        }
        return scan.mayPassRow(bytes: try row.borrowedText(4).count)
    }

    private static let outdatedMessages = StatementText("SELECT sequence, id FROM search_pending ORDER BY sequence")
    private static let messageByID = StatementText(MessageRow.selectByID(MessageRow.columns))
}
