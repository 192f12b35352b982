import SQLCipher
import StoreBasics

/// The look through a directory for a file that was written after a time: over several commits, and what others have
/// done in it between them was later.
struct DirectoryLook: Sendable {
    enum Step {
        case unfinished
        case changedLater
        case unchanged
    }

    private struct Level {
        let directory: Int64
        /// The last name that was looked at.
        var after = ""
    }

    let directory: Int64
    private let path: FilePath
    private let time: Timestamp
    /// Those that it is within, from the outermost on.
    private var levels: [Level]
    /// Of the store, when what was looked at was as it is known.
    private var revision: UInt64

    /// - Parameter revision: the store's, with all that the open transaction has done.
    init(_ directory: Int64, _ path: FilePath, _ time: Timestamp, _ revision: UInt64) {
        self.directory = directory
        self.path = path
        self.time = time
        self.revision = revision
        levels = [Level(directory: directory)]
    }

    mutating func step(_ session: WriteSession) throws(StoreError) -> Step {
        let statistics = session.statistics
        if statistics.compactedThroughRevision > revision {
            // What was done meanwhile is not known any more.
            self = DirectoryLook(directory, path, time, statistics.revision)
        }
        guard try !hasChanged(session) else { return .changedLater }
        revision = statistics.revision
        var rowCount = 0
        while let level = levels.last {
            guard rowCount == 0 || rowCount % Self.rowsPerLook > 0 || !session.slice.isOver else { return .unfinished }
            rowCount += 1
            guard let row = try session.connection.first(Self.childAfter, level.directory, level.after) else {
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

    /// Something was made, written or moved in it since the last step.
    private func hasChanged(_ session: WriteSession) throws(StoreError) -> Bool {
        guard session.statistics.revision > revision else { return false }
        let own = session.changes
        let firstOwn = session.statistics.revision - UInt64(own.count) + 1
        for (offset, entry) in own.enumerated() where firstOwn + UInt64(offset) > revision {
            guard try !isBelow(entry) else { return true }
        }
        let rows = try session.connection.rows(ArchiveChangeScan.commitsAfter, revision + 1)
        while try rows.next() {
            let first = rows.unsigned(0)
            for (offset, entry) in try ChangeCodec.decode(rows.borrowedBytes(2)).enumerated()
            where first + UInt64(offset) > revision {
                guard try !isBelow(entry) else { return true }
            }
        }
        return false
    }

    private func isBelow(_ entry: ChangeEntry) throws(StoreError) -> Bool {
        guard entry.kind == .file, entry.operation != .deleted else { return false }
        return try FilePath(text: entry.id).isBelow(path)
    }

    /// Rows between two looks at the clock.
    private static let rowsPerLook = 16
    private static let childAfter = StatementText(
        """
        SELECT number, name, content IS NULL, modified_at FROM files WHERE parent = ?1 AND name > ?2
        ORDER BY name LIMIT 1
        """)
}
