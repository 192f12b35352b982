import SQLCipher

/// The columns of a list row with the names of a contact or conversation: its id, its session id and its display name.
enum NameColumns {
    static let all = 1...3

    /// Returns true if the names together match the query: different words may be in different names.
    static func match(_ query: SearchQuery, _ row: borrowing Rows) throws(StoreError) -> Bool {
        var lists: [TermList] = []
        for column in all {
            guard let name = try row.optionalBorrowedText(column) else { continue }
            lists.append(TermScanner.terms(of: name))
        }
        return query.expression.matches(lists)
    }

    static func byteCount(_ row: borrowing Rows) throws(StoreError) -> Int {
        var count = 0
        for column in all {
            count += try row.optionalBorrowedText(column)?.count ?? 0
        }
        return count
    }
}
