import SQLCipher
import StoreBasics

/// The walk over the trees of the vault: each directory comes before its children, each file before its content.
struct ArchiveFileWalk {
    private struct Level {
        let number: Int64
        /// The path; `nil` for the parent of the roots.
        let path: FilePath?
        /// The name of the last child that was visited.
        var name = ""
    }

    private var levels = [Level(number: FileRow.top, path: nil)]
    /// The rest of the current file's content.
    private var pieces: ArchivePieces?

    /// Passes some of the next records to `body`.
    ///
    /// - Returns: False at the end.
    mutating func readPage(
        _ connection: Connection, _ contents: OpenContents, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        var bytes = 0
        while bytes < ArchiveLimits.pageBytes {
            guard let record = try next(connection, contents) else { return false }
            try body(record)
            bytes += record.byteCount
        }
        return true
    }

    private mutating func next(
        _ connection: Connection, _ contents: OpenContents
    ) throws(StoreError) -> ArchiveRecord? {
        if let piece = try pieces?.next(connection, contents) {
            return .filePiece(piece)
        }
        while let level = levels.last {
            guard let row = try connection.first(FileRow.childAfter, level.number, level.name) else {
                levels.removeLast()
                continue
            }
            let item = try FileRow(row)
            levels[levels.count - 1].name = item.name.text
            if let record = try enter(item, in: level) {
                return record
            }
        }
        return nil
    }

    /// - Returns: `nil` if a move has made the path too long. Clients cannot reach such a path.
    private mutating func enter(_ item: FileRow, in level: Level) throws(StoreError) -> ArchiveRecord? {
        let path = try item.path(in: level.path)
        guard path.canBeNamed else { return nil }
        switch item.kind {
        case .directory:
            levels.append(Level(number: item.number, path: path))
            return .directory(
                ArchivedDirectory(path: path, createdAt: item.createdAt, modifiedAt: item.modifiedAt))
        case .file(let content, let byteCount):
            pieces = ArchivePieces(of: content, byteCount: byteCount)
            return .file(
                ArchivedFile(
                    path: path, byteCount: byteCount, createdAt: item.createdAt, modifiedAt: item.modifiedAt))
        }
    }
}

extension FileRow {
    /// Returns the path of the row.
    ///
    /// - Parameter directory: The path of its directory; `nil` for a root.
    func path(in directory: FilePath?) throws(StoreError) -> FilePath {
        if let directory {
            return directory.appending(name)
        }
        guard let area = FileArea(rawValue: name.text) else {
            throw .databaseDamaged("a top-level directory of the vault is not an area")
        }
        return .root(of: area)
    }

    static let childAfter = StatementText(
        selectSQL + " WHERE f.parent = ?1 AND f.name > ?2 ORDER BY f.name LIMIT 1")
}
