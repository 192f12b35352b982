import SQLCipher
import StoreBasics

/// A row of `files`: one file or directory.
struct FileRow {
    /// The parent number of the roots, which have no directory.
    static let top: Int64 = 0

    enum Kind {
        case directory
        case file(content: Int64, byteCount: UInt64)
    }

    let number: Int64
    let name: FileName
    let kind: Kind
    let createdAt: Timestamp
    let modifiedAt: Timestamp
    let revision: UInt64
    /// For an unfinished copy of a directory, the number of the original directory; otherwise `nil`.
    let copiedFrom: Int64?
    /// The number of the directory that contains the file or directory.
    let parent: Int64
    /// The number and the bytes of everything below a directory.
    let below: FileUsage

    init(_ row: borrowing Rows) throws(StoreError) {
        number = row.integer(0)
        name = try row.name(1)
        createdAt = row.timestamp(2)
        modifiedAt = row.timestamp(3)
        revision = row.unsigned(4)
        copiedFrom = row.optionalInteger(7)
        parent = row.integer(8)
        below = FileUsage(
            fileCount: row.integer(9), directoryCount: row.integer(10), byteCount: row.integer(11))
        guard let content = row.optionalInteger(5) else {
            kind = .directory
            return
        }
        guard !row.isNull(6) else { throw .databaseDamaged("the content of a file is missing") }
        kind = .file(content: content, byteCount: UInt64(try row.count(6)))
    }

    var isDirectory: Bool {
        switch kind {
        case .directory: true
        case .file: false
        }
    }

    /// Returns whether the row is a file with this content.
    func has(_ content: Int64) -> Bool {
        switch kind {
        case .directory: false
        case .file(let own, _): own == content
        }
    }

    var item: FileItem {
        let kind: FileItem.Kind =
            switch kind {
            case .directory: .directory
            case .file(_, let byteCount): .file(byteCount: byteCount)
            }
        return FileItem(name: name, kind: kind, createdAt: createdAt, modifiedAt: modifiedAt, revision: revision)
    }

    static func find(_ name: FileName, in directory: Int64, _ connection: Connection) throws(StoreError) -> FileRow? {
        guard let row = try connection.first(byName, directory, name) else { return nil }
        return try FileRow(row)
    }

    static func find(_ path: FilePath, _ connection: Connection) throws(StoreError) -> FileRow? {
        var found: FileRow?
        for name in path.namesFromTop {
            guard found?.isDirectory ?? true,
                let next = try find(name, in: found?.number ?? top, connection)
            else { return nil }
            found = next
        }
        return found
    }

    static let selectSQL = """
        SELECT f.number, f.name, f.created_at, f.modified_at, f.revision, f.content, c.byte_count,
            f.copied_from, f.parent, f.file_count, f.directory_count, f.byte_count
        FROM files AS f LEFT JOIN file_contents AS c ON c.number = f.content
        """
    private static let byName = StatementText(selectSQL + " WHERE f.parent = ?1 AND f.name = ?2")
}

extension StoreError {
    static var fileNotFound: StoreError {
        StoreError(
            .fileNotFound,
            """
            no entry of the requested kind (file or directory) exists at this path; list the parent directory
            """)
    }

    static var directoryNotFound: StoreError {
        StoreError(.directoryNotFound, "there is no directory at this path; create it first")
    }

    static var parentDirectoryNotFound: StoreError {
        StoreError(
            .parentDirectoryNotFound,
            "the parent directory does not exist; create it, or request that missing directories are created")
    }
}
