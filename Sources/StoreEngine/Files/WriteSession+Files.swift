import SQLCipher
import StoreBasics

extension WriteSession {
    /// Writes a file whole: a new one, or in the place of the content of one that is there.
    ///
    /// - Parameter createsParents: whether directories that the path lies in are made too.
    /// - Throws: `.parentDirectoryNotFound`; `.alreadyExists` where a directory has the path; `.invalidArgument` for
    ///   too many bytes.
    mutating func saveFile(_ path: FilePath, _ bytes: [UInt8], createsParents: Bool) throws(StoreError) -> Commit {
        try writeFile(path, createsParents: createsParents) { (_) throws(StoreError) in bytes }
    }

    /// Puts bytes behind those of a file, or makes a file of them where there is none.
    ///
    /// - Throws: as `saveFile`; the file is as it was then.
    mutating func appendFile(_ path: FilePath, _ bytes: [UInt8], createsParents: Bool) throws(StoreError) -> Commit {
        if bytes.isEmpty, let row = try FileRow.find(path, connection), !row.isDirectory {
            return .unchanged(path)
        }
        let connection = connection
        return try writeFile(path, createsParents: createsParents) { (content) throws(StoreError) in
            try content.map { (number) throws(StoreError) in try FileContents.bytes(of: number, connection) + bytes }
                ?? bytes
        }
    }

    /// - Parameter bytes: what is to be written, from the number of the content that is there.
    private mutating func writeFile(
        _ path: FilePath, createsParents: Bool, _ bytes: (Int64?) throws(StoreError) -> [UInt8]
    ) throws(StoreError) -> Commit {
        guard !path.isRoot else { throw Self.taken }
        let parent = try parentDirectory(of: path, createsParents: createsParents)
        let present = try self.present(path, in: parent)
        var commit = Commit()
        if let present {
            guard case .file(let content, let byteCount) = present.kind else { throw Self.taken }
            let written = try FileContents.checked(bytes(content))
            if written.count == byteCount, try written == FileContents.bytes(of: content, connection) {
                return .unchanged(path)
            }
            let number = Int64(nextRevision)
            try FileContents.insert(written, number: number, connection)
            try connection.run(Self.replaceContent, present.number, number, now)
            try release(content)
            finish(.updated, path, &commit)
        } else {
            let written = try FileContents.checked(bytes(nil))
            let directory = try make(parent, &commit)
            let number = Int64(nextRevision)
            try FileContents.insert(written, number: number, connection)
            _ = try insert(path.lastName, in: directory, content: number, created: now)
            finish(.created, path, &commit)
        }
        return commit
    }

    /// - Throws: `.fileNotFound`, also for a directory.
    mutating func deleteFile(_ path: FilePath) throws(StoreError) -> Commit {
        guard let row = try FileRow.find(path, connection), case .file(let content, _) = row.kind else {
            throw .fileNotFound
        }
        try connection.run(Self.deleteFileRow, row.number)
        try release(content)
        try touchParent(of: path)
        var commit = Commit()
        finish(.deleted, path, &commit)
        return commit
    }

    mutating func release(_ content: Int64) throws(StoreError) {
        try FileContents.release(content, connection)
        removedContent = true
    }

    private static let replaceContent = StatementText(
        "UPDATE files SET content = ?2, revision = ?2, modified_at = ?3 WHERE number = ?1")
}
