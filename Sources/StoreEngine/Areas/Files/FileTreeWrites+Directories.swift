import SQLCipher
import StoreBasics

extension FileTreeWrites {
    /// Creates a directory.
    ///
    /// - Parameter createsParents: True to create missing directories above the path.
    /// - Throws: `.parentDirectoryNotFound`, then `.alreadyExists`.
    func createDirectory(_ path: FilePath, createsParents: Bool) throws(StoreError) -> Commit {
        guard !path.isRoot else { throw Self.pathExists }
        let parent = try parentDirectory(of: path, createsParents: createsParents)
        guard try present(path, in: parent) == nil else { throw Self.pathExists }
        var commit = Commit()
        let directory = try make(parent, &commit)
        _ = try insertDirectory(path.lastName, in: directory)
        finish(.created, path, &commit)
        return commit
    }

    /// Removes a directory. A removed root exists again at once, and is empty.
    ///
    /// - Parameter withChildren: True to also remove a directory that is not empty. Its content becomes unreachable at
    ///   once, and background maintenance removes the rows.
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

    static let pathExists = StoreError(
        .alreadyExists, "there is a file or directory at this path already; choose another name")

    private static let anyChild = StatementText("SELECT 1 FROM files WHERE parent = ?1 LIMIT 1")
}

extension Commit {
    /// Returns a commit that changes nothing at a path.
    static func unchanged(_ path: FilePath) -> Commit {
        var commit = Commit()
        commit.ids = [path.text]
        return commit
    }
}

// MARK: Common parts of all changes of the tree

extension FileTreeWrites {
    /// The directory that contains a path, with the missing directories that have to be created for it.
    struct ParentDirectory {
        /// The deepest existing directory of the path.
        let deepest: Int64
        /// The missing directories below it, from the outermost on.
        let missing: [FilePath]

        /// The number of the directory that contains the path; `nil` if it does not exist yet.
        var number: Int64? { missing.isEmpty ? deepest : nil }
    }

    /// Finds the directory that contains a path, and writes nothing. A missing root is never an error.
    ///
    /// - Throws: `.parentDirectoryNotFound`, also if a file has the name of a directory.
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

    /// Creates the missing directories, with a change for each.
    ///
    /// - Returns: The number of the parent directory.
    func make(_ parent: ParentDirectory, _ commit: inout Commit) throws(StoreError) -> Int64 {
        var directory = parent.deepest
        for path in parent.missing {
            directory = try insertDirectory(path.lastName, in: directory)
            commit.createdCount += 1
            record(.file, .created, id: path.text)
        }
        return directory
    }

    /// Returns the file or directory at a path whose parent directory is `parent`; `nil` if there is none.
    func present(_ path: FilePath, in parent: ParentDirectory) throws(StoreError) -> FileRow? {
        guard let directory = parent.number else { return nil }
        return try find(path.lastName, in: directory)
    }

    func find(_ name: FileName, in directory: Int64) throws(StoreError) -> FileRow? {
        try FileRow.find(name, in: directory, connection)
    }

    /// Inserts a directory. Its number is the revision that the next recorded change gets.
    func insertDirectory(_ name: FileName, in directory: Int64) throws(StoreError) -> Int64 {
        try insert(name, in: directory, content: nil, FileUsage(directoryCount: 1))
    }

    /// Inserts a file. Its number is the revision that the next recorded change gets.
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

    /// Deletes a row, and subtracts its usage from the directories above it.
    func remove(_ row: FileRow) throws(StoreError) {
        try connection.run(Self.deleteFileRow, row.number)
        try FileUsageRows.add(-row.usage, to: row.parent, connection)
    }

    /// Gives a file another content, or another version of the same content. The row gets the revision of the next
    /// recorded change.
    func replace(
        _ row: FileRow, by content: Int64, byteCount: UInt64, modified: Timestamp
    ) throws(StoreError) {
        guard case .file(_, let present) = row.kind else { throw Self.pathExists }
        try connection.run(Self.replaceContent, row.number, content, nextRevision, modified)
        try FileUsageRows.add(.bytes(from: present, to: byteCount), to: row.parent, connection)
    }

    /// Checks the limit of an area before anything is written.
    ///
    /// - Parameters:
    ///   - usage: The usage of what is added.
    ///   - replaced: The usage of what is replaced, in the same area.
    func expectRoom(
        for usage: FileUsage, replacing replaced: FileUsage = .nothing, at path: FilePath
    ) throws(StoreError) {
        try fileQuotas.expectRoom(for: (usage - replaced).byteCount, in: path.area, connection)
    }

    func touchParent(of path: FilePath) throws(StoreError) {
        guard let parent = path.parent, let row = try FileRow.find(parent, connection) else { return }
        try connection.run(Self.touchDirectory, row.number, now)
    }

    /// Records and counts a change, and makes its path the id of the commit. A copy of a directory calls this for every
    /// entry, and sets the id again at its end.
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
