import SQLCipher
import StoreBasics

/// The walk over files and directories that changed, each behind the directories that it lies in. A directory that was
/// made or moved stands for all that it holds.
struct ArchiveChangedFiles {
    private let files: [FilePath: Timestamp]
    private let directories: [FilePath: Timestamp]
    /// Those that are still to come, the next one last.
    private var paths: [FilePath]
    /// All below has been given.
    private var wholeDirectory: FilePath?
    /// What a directory holds that is being given, and when that changed.
    private var inner: (walk: ArchiveFileWalk, changedAt: Timestamp)?
    private var pieces: ArchivePieces?

    init(_ changes: ArchiveChanges) {
        files = changes.files
        directories = changes.directories
        var all = Set(files.keys).union(directories.keys)
        for path in all {
            all.formUnion(path.ancestors)
        }
        paths = all.sorted { $1.isBefore($0) }
    }

    /// Gives some of the records that come next.
    ///
    /// - Returns: false when there are no more.
    mutating func readPage(
        _ connection: Connection, _ contents: OpenContents, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        if var inner {
            let changedAt = inner.changedAt
            let isOver = try !inner.walk.readPage(connection, contents) { (record) throws(StoreError) in
                try body(ArchiveEntry(record, changedAt: record.kind == nil ? nil : changedAt))
            }
            self.inner = isOver ? nil : inner
            return true
        }
        var bytes = 0
        while bytes < ArchiveLimits.pageBytes, inner == nil {
            guard let entry = try next(connection, contents) else { return !paths.isEmpty }
            try body(entry)
            bytes += entry.record.byteCount
        }
        return true
    }

    private mutating func next(
        _ connection: Connection, _ contents: OpenContents
    ) throws(StoreError) -> ArchiveEntry? {
        if let piece = try pieces?.next(connection, contents) {
            return ArchiveEntry(.filePiece(piece))
        }
        while let path = paths.popLast() {
            if let wholeDirectory, path.isBelow(wholeDirectory) { continue }
            guard let row = try FileRow.find(path, connection) else { continue }
            switch row.kind {
            case .directory:
                if let time = files[path] {
                    wholeDirectory = path
                    inner = (ArchiveFileWalk(within: row.number, at: path), time)
                }
                return ArchiveEntry(
                    .directory(
                        ArchivedDirectory(path: path, createdAt: row.createdAt, modifiedAt: row.modifiedAt)),
                    changedAt: files[path] ?? directories[path])
            case .file(let content, let byteCount):
                pieces = ArchivePieces(of: content, byteCount: byteCount)
                return ArchiveEntry(
                    .file(
                        ArchivedFile(
                            path: path, byteCount: byteCount, createdAt: row.createdAt, modifiedAt: row.modifiedAt)),
                    changedAt: files[path])
            }
        }
        return nil
    }
}

extension FilePath {
    /// A directory is before all that lies in it, and that is together.
    fileprivate func isBefore(_ other: FilePath) -> Bool {
        for (name, otherName) in zip(namesFromTop, other.namesFromTop) where name != otherName {
            return name.text.utf8.lexicographicallyPrecedes(otherName.text.utf8)
        }
        return names.count < other.names.count
    }
}
