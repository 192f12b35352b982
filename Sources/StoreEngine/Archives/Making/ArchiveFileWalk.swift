import SQLCipher
import StoreBasics

/// The walk over the trees of the vault: each directory before what it holds, each file before its content.
struct ArchiveFileWalk {
    private struct Level {
        let number: Int64
        /// `nil` for what holds the roots.
        let path: FilePath?
        /// What was looked at last.
        var name = ""
    }

    private var levels = [Level(number: FileRow.top, path: nil)]
    /// Of the file that the walk is within.
    private var pieces: ArchivePieces?

    /// Gives some of the records that come next.
    ///
    /// - Returns: false when there are no more.
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

    /// - Returns: `nil` for what a move has taken deeper than a path can name: it can be reached by nobody.
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
    /// - Parameter directory: `nil` for what holds the roots.
    func path(in directory: FilePath?) throws(StoreError) -> FilePath {
        if let directory {
            return directory.appending(name)
        }
        guard let area = FileArea(rawValue: name.text) else {
            throw .databaseDamaged("a tree of the vault belongs to no area")
        }
        return .root(of: area)
    }

    /// What a directory holds, name by name.
    static let childAfter = StatementText(
        selectSQL + " WHERE f.parent = ?1 AND f.name > ?2 ORDER BY f.name LIMIT 1")
}
