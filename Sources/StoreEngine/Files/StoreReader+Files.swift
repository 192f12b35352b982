import SQLCipher
import StoreBasics
import StoreCrypto

extension StoreReader {
    /// What is at a path; a root is always there.
    ///
    /// - Returns: `nil` when nothing is.
    package func fileItem(at path: FilePath) throws(StoreError) -> FileItem? {
        try readSnapshot { connection throws(StoreError) in
            if let row = try FileRow.find(path, connection) {
                return row.item
            }
            return path.isRoot ? try Self.emptyRoot(of: path.area, connection) : nil
        }
    }

    /// The content of a directory in the order of the bytes of names.
    ///
    /// - Parameter cursor: of the page before; `nil` starts at the first.
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

    /// A part of a file, put where `room` says.
    ///
    /// - Parameters:
    ///   - offset: at the end of the file and behind it there are no bytes.
    ///   - byteCount: the most that is read, above 0; `nil`: to the end. Never more than
    ///     `EngineLimits.filePieceBytesMax`, and fewer where a slow disk would keep others waiting.
    ///   - expected: the revision that the file must have; `nil`: any. It is looked at before the content is.
    ///   - mayWait: whether contents may be read from the disk.
    /// - Returns: `nil` where they would have to be, and may not be.
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
                    the file was replaced or written since the expected revision; read it again from its beginning
                    """)
            }
            return (row.item, content, size)
        }
    }

    /// What a row says of its content: with what else is told of it, the content's number and its bytes.
    typealias LocatedContent<Item> = (item: Item, content: Int64, byteCount: UInt64)

    /// A part of a content.
    ///
    /// - Parameter locate: finds it, on the snapshot that is read.
    /// - Returns: `nil` where it would have to be read from the disk, and may not be.
    func readContent<Item>(
        from offset: UInt64, byteCount: UInt64?, mayWait: Bool, into room: PieceRoom,
        _ locate: (Connection) throws(StoreError) -> LocatedContent<Item>
    ) throws(StoreError) -> Item? {
        var suspect: ContentState?
        while true {
            var state: ContentState?
            do throws(StoreError) {
                return try readPart(
                    from: offset, byteCount: byteCount, mayWait: mayWait, into: room, &state, locate)
            } catch {
                // What was written over or removed since the snapshot began is no damage: that is what is the same in
                // the next one too.
                guard error.reason == .fileDamaged, let state, state != suspect else { throw error }
                suspect = state
            }
        }
    }

    /// Which content a file had, and of which write it was.
    private struct ContentState: Equatable {
        let id: ContentID
        let generation: UInt64
    }

    /// - Parameter state: of the content in the vault that is read.
    private func readPart<Item>(
        from offset: UInt64, byteCount: UInt64?, mayWait: Bool, into room: PieceRoom, _ state: inout ContentState?,
        _ locate: (Connection) throws(StoreError) -> LocatedContent<Item>
    ) throws(StoreError) -> Item? {
        let slice = WorkSlice.ofScan
        return try readSnapshot { (connection, contents) throws(StoreError) in
            let (item, content, size) = try locate(connection)
            let start = min(offset, size)
            let most = min(byteCount ?? size, UInt64(EngineLimits.filePieceBytesMax))
            let range = start..<(start + min(most, size - start))
            guard !range.isEmpty else { return item }
            switch try FileContents.place(of: content, connection, heldKey: contents.key) {
            case .database:
                try room(range.count) { memory throws(StoreError) in
                    try FileContents.copy(range, of: content, into: memory, connection)
                }
            case .vault(let stored):
                state = ContentState(id: stored.header.id, generation: stored.generation)
                let runs = try ChunkRunRows.read(stored.layout.chunks(of: range), of: content, connection)
                var isRead = true
                try room(range.count) { memory throws(StoreError) in
                    let count = try contents.read(range, of: stored, runs, into: memory, slice, mayWait: mayWait)
                    isRead = count != nil
                    return count ?? 0
                }
                guard isRead else { return nil }
            }
            return item
        }
    }

    /// A root into which nothing was put since it was last removed: as old as the store.
    private static func emptyRoot(of area: FileArea, _ connection: Connection) throws(StoreError) -> FileItem {
        guard let row = try connection.first(storeCreation) else {
            throw .databaseDamaged("its creation time is missing")
        }
        return FileItem(
            name: FilePath.root(of: area).lastName, kind: .directory, createdAt: row.timestamp(0),
            modifiedAt: row.timestamp(0), revision: 0)
    }

    private static let filesByName = StatementText(
        FileRow.selectSQL + " WHERE f.parent = ?1 AND f.name > ?2 ORDER BY f.name LIMIT ?3")
    private static let storeCreation = StatementText("SELECT created_at FROM store")
}

/// Makes memory for a piece of so many bytes and has it filled, once or, where the piece has to be read again, from the
/// beginning. What fills it tells how many bytes there are: fewer where a slow disk would keep others waiting.
package typealias PieceRoom = (
    _ byteCount: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(StoreError) -> Int
) throws(StoreError) -> Void
