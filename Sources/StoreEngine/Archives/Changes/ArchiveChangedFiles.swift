import SQLCipher
import StoreBasics

/// The walk over files and directories that changed. Each file or directory comes after the directories above it. If a
/// directory was created or moved, everything in it is included, with the time of that change or of a later one.
struct ArchiveChangedFiles {
    private struct Level {
        let number: Int64
        /// The path; `nil` for the parent of the roots.
        let path: FilePath?
        /// The time at which this directory, or a directory above it, was created, copied or moved. Everything in the
        /// directory is then included. `nil` if only changed children are included.
        let placedAt: Timestamp?
        /// The last child that was visited: its name if everything is included, otherwise its number.
        var lastName = ""
        var lastNumber = Int64.min
    }

    private var levels = [Level(number: FileRow.top, path: nil, placedAt: nil)]
    private var pieces: ArchivePieces?

    /// Passes some of the next records to `body`.
    ///
    /// - Returns: False at the end.
    mutating func readPage(
        _ changes: ChangedFiles, _ connection: Connection, _ contents: OpenContents,
        _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        let slice = WorkSlice.ofScan
        var bytes = 0
        while bytes < ArchiveLimits.pageBytes, !slice.isOver {
            if let piece = try pieces?.next(connection, contents) {
                let record = ArchiveRecord.filePiece(piece)
                try body(ArchiveEntry(record))
                bytes += record.byteCount
                continue
            }
            guard let level = levels.last else { return false }
            guard let row = try next(in: level, changes, connection) else {
                levels.removeLast()
                continue
            }
            levels[levels.count - 1].lastName = row.name.text
            levels[levels.count - 1].lastNumber = row.number
            if let entry = try enter(row, in: level, changes) {
                try body(entry)
                bytes += entry.record.byteCount
            }
        }
        return true
    }

    private func next(
        in level: Level, _ changes: ChangedFiles, _ connection: Connection
    ) throws(StoreError) -> FileRow? {
        guard level.placedAt == nil else {
            guard let row = try connection.first(FileRow.childAfter, level.number, level.lastName) else { return nil }
            return try FileRow(row)
        }
        let place = ChangedFiles.Place(directory: level.number, number: level.lastNumber)
        guard let number = changes.first(after: place) else { return nil }
        guard let row = try connection.first(Self.byNumber, number) else {
            throw .databaseDamaged("the row of a changed file or directory of the vault is missing")
        }
        return try FileRow(row)
    }

    /// - Returns: `nil` if a move has made the path too long. Clients cannot reach such a path.
    private mutating func enter(
        _ row: FileRow, in level: Level, _ changes: ChangedFiles
    ) throws(StoreError) -> ArchiveEntry? {
        let path = try row.path(in: level.path)
        guard path.canBeNamed else { return nil }
        let change = changes[ChangedFiles.Place(directory: level.number, number: row.number)]
        let changedAt = Timestamp.latest(level.placedAt, change?.changedAt)
        switch row.kind {
        case .directory:
            levels.append(
                Level(
                    number: row.number, path: path, placedAt: Timestamp.latest(level.placedAt, change?.placedAt)))
            return ArchiveEntry(
                .directory(ArchivedDirectory(path: path, createdAt: row.createdAt, modifiedAt: row.modifiedAt)),
                changedAt: changedAt)
        case .file(let content, let byteCount):
            pieces = ArchivePieces(of: content, byteCount: byteCount)
            return ArchiveEntry(
                .file(
                    ArchivedFile(
                        path: path, byteCount: byteCount, createdAt: row.createdAt, modifiedAt: row.modifiedAt)),
                changedAt: changedAt)
        }
    }

    private static let byNumber = StatementText(FileRow.selectSQL + " WHERE f.number = ?1")
}

extension Timestamp {
    fileprivate static func latest(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }
}
