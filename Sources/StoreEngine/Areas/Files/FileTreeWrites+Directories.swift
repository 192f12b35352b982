import SQLCipher
import StoreBasics

extension FileTreeWrites {
    /// - Parameter createsParents: whether directories that the path lies in are made too.
    /// - Throws: `.parentDirectoryNotFound`, then `.alreadyExists`.
    func createDirectory(_ path: FilePath, createsParents: Bool) throws(StoreError) -> Commit {
        guard !path.isRoot else { throw Self.taken }
        let parent = try parentDirectory(of: path, createsParents: createsParents)
        guard try present(path, in: parent) == nil else { throw Self.taken }
        var commit = Commit()
        let directory = try make(parent, &commit)
        _ = try insertDirectory(path.lastName, in: directory)
        finish(.created, path, &commit)
        return commit
    }

    /// Removes a directory. A root is there again at once, and empty.
    ///
    /// - Parameter withChildren: also one that is not empty. What it holds is out of reach with it; its rows are
    ///   removed later.
    /// - Throws: `.directoryNotFound`, also for a file; `.directoryNotEmpty`.
    func removeDirectory(_ path: FilePath, withChildren: Bool) throws(StoreError) -> Commit {
        guard let row = try FileRow.find(path, connection), row.isDirectory else {
            guard path.isRoot else { throw .directoryNotFound }
            return .unchanged(path)
        }
        let isEmpty = try connection.first(Self.anyChild, row.number) == nil
        guard isEmpty || withChildren else {
            throw StoreError(
                .directoryNotEmpty, "the directory is not empty; remove its content, or request a recursive removal")
        }
        try remove(row)
        if !isEmpty {
            try leftovers.leaveBehind(.fileChildren, row.number...row.number)
        }
        try touchParent(of: path)
        removedContent = true
        var commit = Commit()
        commit.deletedCount = 1
        commit.ids = [path.text]
        record(.file, .deleted, id: path.text)
        return commit
    }

    static let taken = StoreError(
        .alreadyExists, "there is a file or directory at this path already; choose another name")

    private static let anyChild = StatementText("SELECT 1 FROM files WHERE parent = ?1 LIMIT 1")
}

extension Commit {
    /// Everything at the path is as it would be left.
    static func unchanged(_ path: FilePath) -> Commit {
        var commit = Commit()
        commit.ids = [path.text]
        return commit
    }
}

// MARK: What all changes of the tree are made of

extension FileTreeWrites {
    /// The directory that something is to be put into, and what is to be made for it.
    struct ParentDirectory {
        /// The deepest directory of the path that is there.
        let deepest: Int64
        /// Those that are to be made within it, from the outermost on.
        let missing: [FilePath]

        /// `nil` where it has to be made.
        var number: Int64? { missing.isEmpty ? deepest : nil }
    }

    /// Looks for the directory that a path lies in, and writes nothing. A root can always be made.
    ///
    /// - Throws: `.parentDirectoryNotFound`, also where a file has the name of one.
    func parentDirectory(of path: FilePath, createsParents: Bool) throws(StoreError) -> ParentDirectory {
        var missing: [FilePath] = []
        var deepest = FileRow.top
        for place in path.ancestors {
            if missing.isEmpty, let row = try find(place.lastName, in: deepest) {
                guard row.isDirectory else { throw .parentDirectoryNotFound }
                deepest = row.number
            } else {
                guard createsParents || place.isRoot else { throw .parentDirectoryNotFound }
                missing.append(place)
            }
        }
        return ParentDirectory(deepest: deepest, missing: missing)
    }

    /// Makes what is missing of a directory, with a change for each.
    ///
    /// - Returns: its number.
    func make(_ parent: ParentDirectory, _ commit: inout Commit) throws(StoreError) -> Int64 {
        var directory = parent.deepest
        for path in parent.missing {
            directory = try insertDirectory(path.lastName, in: directory)
            commit.createdCount += 1
            record(.file, .created, id: path.text)
        }
        return directory
    }

    /// What has the path already.
    func present(_ path: FilePath, in parent: ParentDirectory) throws(StoreError) -> FileRow? {
        guard let directory = parent.number else { return nil }
        return try find(path.lastName, in: directory)
    }

    func find(_ name: FileName, in directory: Int64) throws(StoreError) -> FileRow? {
        try FileRow.find(name, in: directory, connection)
    }

    /// The row gets the number of the revision that the change recorded next will have.
    func insertDirectory(_ name: FileName, in directory: Int64) throws(StoreError) -> Int64 {
        try insert(name, in: directory, content: nil, FileUsage(directoryCount: 1))
    }

    /// The same for a file.
    func insertFile(
        _ name: FileName, in directory: Int64, content: Int64, byteCount: UInt64
    ) throws(StoreError) -> Int64 {
        try insert(name, in: directory, content: content, .file(byteCount))
    }

    private func insert(
        _ name: FileName, in directory: Int64, content: Int64?, _ usage: FileUsage
    ) throws(StoreError) -> Int64 {
        let number = Int64(nextRevision)
        try insertRow(number, name, in: directory, content: content, usage, created: now, modified: now)
        try connection.run(Self.touchDirectory, directory, now)
        return number
    }

    func insertRow(
        _ number: Int64, _ name: FileName, in directory: Int64, content: Int64?, _ usage: FileUsage,
        created: Timestamp, modified: Timestamp
    ) throws(StoreError) {
        try connection.run(Self.insertFileRow, number, directory, name, content, number, created, modified)
        try FileUsageRows.add(usage, to: directory, connection)
    }

    /// The row goes, and what it counted for with it.
    func remove(_ row: FileRow) throws(StoreError) {
        try connection.run(Self.deleteFileRow, row.number)
        try FileUsageRows.add(-row.usage, to: row.parent, connection)
    }

    /// A file has another content, or another write of the same; its row is of the revision of the change that is
    /// recorded next.
    func replace(
        _ row: FileRow, by content: Int64, byteCount: UInt64, modified: Timestamp
    ) throws(StoreError) {
        guard case .file(_, let present) = row.kind else { throw Self.taken }
        try connection.run(Self.replaceContent, row.number, content, nextRevision, modified)
        try FileUsageRows.add(.bytes(from: present, to: byteCount), to: row.parent, connection)
    }

    /// Before anything is written.
    ///
    /// - Parameters:
    ///   - usage: of what is put there.
    ///   - replaced: of what goes for it, in the same area.
    func expectRoom(
        for usage: FileUsage, replacing replaced: FileUsage = .nothing, at path: FilePath
    ) throws(StoreError) {
        try fileQuotas.expectRoom(for: (usage - replaced).byteCount, in: path.area, connection)
    }

    func touchParent(of path: FilePath) throws(StoreError) {
        guard let parent = path.parent, let row = try FileRow.find(parent, connection) else { return }
        try connection.run(Self.touchDirectory, row.number, now)
    }

    /// The last of a mutation's changes.
    func finish(_ operation: ChangeOperation, _ path: FilePath, _ commit: inout Commit) {
        switch operation {
        case .created: commit.createdCount += 1
        case .updated: commit.updatedCount += 1
        case .deleted, .cleared: commit.deletedCount += 1
        }
        commit.ids = [path.text]
        record(.file, operation, id: path.text)
    }

    private static let insertFileRow = StatementText(
        """
        INSERT INTO files (number, parent, name, content, revision, created_at, modified_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """)
    static let touchDirectory = StatementText("UPDATE OR FAIL files SET modified_at = ?2 WHERE number = ?1")
    private static let deleteFileRow = StatementText("DELETE FROM files WHERE number = ?1")
    private static let replaceContent = StatementText(
        "UPDATE OR FAIL files SET content = ?2, revision = ?3, modified_at = ?4 WHERE number = ?1")
}
