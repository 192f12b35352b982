import SQLCipher
import StoreBasics
import StoreCrypto

extension StoreReader {
    /// Returns the file or directory at a path; `nil` if there is nothing. A root always exists.
    package func fileItem(at path: FilePath) throws(StoreError) -> FileItem? {
        try readSnapshot { connection throws(StoreError) in
            if let row = try FileRow.find(path, connection) {
                return row.item
            }
            return path.isRoot ? try Self.emptyRoot(of: path.area, connection) : nil
        }
    }

    /// Returns the content of a directory, in the order of the bytes of names.
    ///
    /// - Parameter cursor: The cursor of the previous page; `nil` for the first page.
    /// - Throws: `.directoryNotFound`; `.invalidArgument` for a limit out of range or a foreign cursor.
    package func files(in path: FilePath, limit: Int, cursor: String?) throws(StoreError) -> FileListPage {
        try PageLimit.check(limit)
        let start = try cursor.map(NameCursor.name) ?? ""
        return try readSnapshot { connection throws(StoreError) in
            var page = FileListPage(items: [], nextCursor: nil)
            guard let directory = try FileRow.find(path, connection), directory.isDirectory else {
                guard path.isRoot else { throw .directoryNotFound }
                return page
            }
            let rows = try connection.rows(Self.filesByName, directory.number, start, limit + 1)
            while try rows.next() {
                guard page.items.count < limit else {
                    page.nextCursor = page.items.last.map { NameCursor.text($0.name.text) }
                    break
                }
                page.items.append(try FileRow(rows).item)
            }
            return page
        }
    }

    /// Reads a part of a file into `room`.
    ///
    /// - Parameters:
    ///   - offset: The first byte to read. At the end of the file and after it there are no bytes.
    ///   - byteCount: The most bytes to read, above 0; `nil` for the rest of the file. A read returns at most
    ///     `EngineLimits.filePieceBytesMax`, and fewer if a slow disk would delay other requests.
    ///   - expected: The revision that the file must have; `nil` for any. It is checked before the content is read.
    ///   - mayWait: True if contents may be read from the disk.
    /// - Returns: `nil` if the disk would have to be read and `mayWait` is false.
    /// - Throws: `.fileNotFound`, also for a directory; `.fileChanged`; `.fileDamaged`.
    package func readFile(
        at path: FilePath, from offset: UInt64 = 0, byteCount: UInt64? = nil, expecting expected: UInt64? = nil,
        mayWait: Bool = true, into room: PieceRoom
    ) throws(StoreError) -> FileItem? {
        try readContent(from: offset, byteCount: byteCount, mayWait: mayWait, into: room) {
            connection throws(StoreError) in
            guard let row = try FileRow.find(path, connection), case .file(let content, let size) = row.kind else {
                throw .fileNotFound
            }
            guard expected == nil || expected == row.revision else {
                throw StoreError(
                    .fileChanged,
                    """
                    the file was replaced or written after the expected revision; read the file again from its beginning
                    """)
            }
            return (row.item, content, size)
        }
    }

    /// Returns the root of an area that has no row, because the area was never used. The root is as old as the store.
    private static func emptyRoot(of area: FileArea, _ connection: Connection) throws(StoreError) -> FileItem {
        guard let row = try connection.first(storeCreation) else {
            throw .databaseDamaged("the row of the table 'store' is missing")
        }
        return FileItem(
            name: FilePath.root(of: area).lastName, kind: .directory, createdAt: row.timestamp(0),
            modifiedAt: row.timestamp(0), revision: 0)
    }

    private static let filesByName = StatementText(
        FileRow.selectSQL + " WHERE f.parent = ?1 AND f.name > ?2 ORDER BY f.name LIMIT ?3")
    private static let storeCreation = StatementText("SELECT created_at FROM store")
}
