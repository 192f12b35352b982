import StoreBasics

/// A limit for the bytes of a page of entities. The page ends before an entity that would exceed
/// `EngineLimits.pageBytesMax`, but contains at least one, so that reading page by page always advances.
struct PageBytes {
    /// An upper bound for the numbers, tags and lengths of one entity in protobuf.
    private static let entityOverheadBytes = 256

    private var count = 0

    /// - Parameter bytes: the size of the entity's texts and avatar.
    /// - Returns: false if the page ends before this entity.
    mutating func admit(_ bytes: Int) -> Bool {
        let sum = count + bytes + Self.entityOverheadBytes
        guard count == 0 || sum <= EngineLimits.pageBytesMax else { return false }
        count = sum
        return true
    }
}

/// A limit for the time of a page that skips rows. The page ends after the current row once
/// `EngineLimits.scanMilliseconds` are over, even if it is empty, so that reading page by page always advances and
/// other requests get their turn.
struct PageScan {
    private static let rowsPerLook = 64
    /// The number of text bytes that take as long to examine as a row takes to skip.
    private static let bytesPerRow = 64

    private let slice = WorkSlice.ofScan
    private var passed = 0

    /// Counts a row that is skipped.
    ///
    /// - Parameter bytes: the size of the text that was examined.
    /// - Returns: false if the page ends after this row.
    mutating func mayPassRow(bytes: Int = 0) -> Bool {
        passed += 1 + bytes / Self.bytesPerRow
        guard passed >= Self.rowsPerLook else { return true }
        passed = 0
        return !slice.isOver
    }
}

enum PageLimit {
    /// - Throws: `.invalidArgument` unless `limit` is 1 to `most`.
    static func check(_ limit: Int, most: Int = EngineLimits.pageRowsMax) throws(StoreError) {
        guard (1...most).contains(limit) else {
            throw .invalidArgument("the field 'limit' is \(limit); it must be 1 to \(most)")
        }
    }
}

/// A position in a list that is ordered by name. It is encoded in hexadecimal, so that it is one word in every shell.
enum NameCursor {
    static func text(_ name: String) -> String { Hexadecimal.encode(name.utf8) }

    static func text(_ names: String...) -> String { names.map { text($0) }.joined(separator: ".") }

    /// Decodes a cursor.
    ///
    /// - Throws: `.invalidArgument` unless `text` can have returned the cursor for `count` names.
    static func names(_ cursor: String, count: Int) throws(StoreError) -> [String] {
        let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
        let names = parts.compactMap { part in
            Hexadecimal.decode(part).flatMap { String(validating: $0, as: UTF8.self) }
        }
        guard parts.count == count, names.count == count else { throw .foreignCursor }
        return names
    }

    static func name(_ cursor: String) throws(StoreError) -> String {
        try names(cursor, count: 1)[0]
    }
}

/// A position in a list whose items have revisions of their own.
enum RevisionCursor {
    static func text(_ revision: UInt64) -> String { "\(revision)" }

    /// - Throws: `.invalidArgument` unless `text` can have returned the cursor.
    static func revision(_ cursor: String) throws(StoreError) -> Int64 {
        guard let revision = Int64(cursor), revision > 0 else { throw .foreignCursor }
        return revision
    }
}

extension StoreError {
    static var foreignCursor: StoreError {
        .invalidArgument("the daemon did not create this cursor; start again without a cursor")
    }
}
