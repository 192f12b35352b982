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

    private struct OpenFile {
        let content: Int64
        let byteCount: UInt64
        var position: UInt64 = 0
    }

    private var levels = [Level(number: FileRow.top, path: nil)]
    private var file: OpenFile?

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
        if let file {
            let piece = try Self.piece(of: file, connection, contents)
            let position = file.position + UInt64(piece.count)
            self.file =
                position < file.byteCount
                ? OpenFile(content: file.content, byteCount: file.byteCount, position: position) : nil
            return .filePiece(piece)
        }
        while let level = levels.last {
            guard let row = try connection.first(Self.child, level.number, level.name) else {
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
        let path: FilePath
        if let directory = level.path {
            path = directory.appending(item.name)
        } else {
            guard let area = FileArea(rawValue: item.name.text) else {
                throw .databaseDamaged("a tree of the vault is of no area")
            }
            path = .root(of: area)
        }
        guard path.canBeNamed else { return nil }
        switch item.kind {
        case .directory:
            levels.append(Level(number: item.number, path: path))
            return .directory(
                ArchivedDirectory(path: path, createdAt: item.createdAt, modifiedAt: item.modifiedAt))
        case .file(let content, let byteCount):
            file = byteCount > 0 ? OpenFile(content: content, byteCount: byteCount) : nil
            return .file(
                ArchivedFile(
                    path: path, byteCount: byteCount, createdAt: item.createdAt, modifiedAt: item.modifiedAt))
        }
    }

    private static func piece(
        of file: OpenFile, _ connection: Connection, _ contents: OpenContents
    ) throws(StoreError) -> [UInt8] {
        let end = min(file.byteCount, file.position + UInt64(ArchiveLimits.filePieceBytesMax))
        let range = file.position..<end
        let bytes: [UInt8]
        switch try FileContents.place(of: file.content, connection, heldKey: contents.key) {
        case .database:
            bytes = try FileContents.bytes(of: file.content, range, connection)
        case .vault(let stored):
            let runs = try ChunkRunRows.read(stored.layout.chunks(of: range), of: file.content, connection)
            bytes = try contents.read(range, of: stored, runs, .ofScan)
        }
        guard !bytes.isEmpty else { throw .databaseDamaged("a file has fewer bytes than it counts") }
        return bytes
    }

    private static let child = StatementText(
        FileRow.selectSQL + " WHERE f.parent = ?1 AND f.name > ?2 ORDER BY f.name LIMIT 1")
}
