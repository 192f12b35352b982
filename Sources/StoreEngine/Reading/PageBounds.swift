import StoreBasics

/// Bounds the bytes of a page of entities: it ends before the entity that would take it past
/// `EngineLimits.pageBytesMax`, and holds at least one, so that who asks page by page always gets on.
struct PageBytes {
    /// More than the numbers, tags and lengths of one entity take on the wire.
    private static let entityOverheadBytes = 256

    private var count = 0

    /// - Parameter bytes: of the entity's texts and avatar.
    /// - Returns: false when the page ends before this entity.
    mutating func admit(_ bytes: Int) -> Bool {
        let sum = count + bytes + Self.entityOverheadBytes
        guard count == 0 || sum <= EngineLimits.pageBytesMax else { return false }
        count = sum
        return true
    }
}

/// Bounds the time of a page that passes rows over: it ends after `EngineLimits.scanMilliseconds` behind the row it has
/// come to, also when it is empty then, so that who asks page by page always gets on and others get their turn.
struct PageScan {
    private static let rowsPerLook = 64
    /// Text that takes as long to look through as a row takes to pass over.
    private static let bytesPerRow = 64

    private let slice = WorkSlice.ofScan
    private var passed = 0

    /// A row is passed over.
    ///
    /// - Parameter bytes: of text that was looked through for it.
    /// - Returns: false when the page ends behind it.
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
            throw .invalidArgument("the limit is \(limit); it must be 1 to \(most)")
        }
    }
}

/// A place in a list by name. Given out in hexadecimal, so that it is one word in every shell.
enum NameCursor {
    static func text(_ name: String) -> String { Hexadecimal.encode(name.utf8) }

    static func text(_ names: String...) -> String { names.map { text($0) }.joined(separator: ".") }

    /// - Throws: `.invalidArgument` for anything that `text` of as many names did not give.
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

/// A place in a list of what has a revision of its own.
enum RevisionCursor {
    static func text(_ revision: UInt64) -> String { "\(revision)" }

    /// - Throws: `.invalidArgument` for anything that `text` did not give.
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
