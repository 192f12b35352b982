import SQLCipher
import StoreBasics

/// The search in a directory for a file that was written after a given time. It takes several commits. If another
/// request creates, writes or moves something in the directory between two commits, the search ends, because this
/// change is later than the given time.
struct DirectoryLook: Sendable {
    enum Step {
        case unfinished
        case changedLater
        case unchanged
    }

    private struct Level {
        let directory: Int64
        /// The last name that was examined.
        var after = ""
    }

    let directory: Int64
    private let path: FilePath
    private let time: Timestamp
    /// The directories on the current path, from the outermost on.
    private var levels: [Level]
    /// The store's revision up to which the search has taken changes of the examined files into account.
    private var revision: UInt64

    /// - Parameter revision: The store's revision, including the changes of the open transaction.
    init(_ directory: Int64, _ path: FilePath, _ time: Timestamp, _ revision: UInt64) {
        self.directory = directory
        self.path = path
        self.time = time
        self.revision = revision
        levels = [Level(directory: directory)]
    }

    mutating func step(_ transaction: Transaction) throws(StoreError) -> Step {
        let statistics = transaction.statistics
        switch statistics.compactedThroughRevision > revision ? .unknown : try changes(transaction) {
        case .none: revision = statistics.revision
        case .within: return .changedLater
        case .unknown: self = DirectoryLook(directory, path, time, statistics.revision)
        }
        var rowCount = 0
        while let level = levels.last {
            guard rowCount == 0 || rowCount % Self.rowsPerLook > 0 || !transaction.slice.isOver else {
                return .unfinished
            }
            rowCount += 1
            guard let row = try transaction.connection.first(Self.childAfter, level.directory, level.after) else {
                levels.removeLast()
                continue
            }
            levels[levels.count - 1].after = try row.text(1)
            if !row.bool(2) {
                guard row.timestamp(3) <= time else { return .changedLater }
            } else if levels.count < EngineLimits.fileDepthMax {
                levels.append(Level(directory: row.integer(0)))
            }
        }
        return .unchanged
    }

    /// The changes since the last step.
    private enum Changes {
        case none
        /// Something in the directory was created, written or moved.
        case within
        /// Unknown. Either the change log was compacted, or the directory or a directory above it was moved to its
        /// present path, and files in it may have been written while it had another path.
        case unknown
    }

    private func changes(_ transaction: Transaction) throws(StoreError) -> Changes {
        guard transaction.statistics.revision > revision else { return .none }
        var changes = Changes.none
        let own = transaction.changes
        let firstOwn = transaction.statistics.revision - UInt64(own.count) + 1
        for (offset, entry) in own.enumerated() where firstOwn + UInt64(offset) > revision {
            guard try !examine(entry, &changes) else { return .within }
        }
        let rows = try transaction.connection.rows(ArchiveChangeScan.commitsAfter, revision + 1)
        while try rows.next() {
            let first = rows.unsigned(0)
            for (offset, entry) in try ChangeCodec.decode(rows.borrowedBytes(2)).enumerated()
            where first + UInt64(offset) > revision {
                guard try !examine(entry, &changes) else { return .within }
            }
        }
        return changes
    }

    /// - Returns: True if the change created, wrote or moved something in the directory.
    private func examine(_ entry: ChangeEntry, _ changes: inout Changes) throws(StoreError) -> Bool {
        guard entry.kind == .file, entry.operation != .deleted else { return false }
        let changed = try FilePath(text: entry.id)
        if changed == path || path.isBelow(changed) {
            changes = .unknown
        }
        return changed.isBelow(path)
    }

    /// The number of rows after which the search checks again whether the commit's time is over.
    private static let rowsPerLook = 16
    private static let childAfter = StatementText(
        """
        SELECT number, name, content IS NULL, modified_at FROM files WHERE parent = ?1 AND name > ?2
        ORDER BY name LIMIT 1
        """)
}
