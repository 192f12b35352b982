import SQLCipher
import StoreBasics

/// The part of a transaction that writes, moves and deletes files and directories of the vault.
struct FileTreeWrites: TransactionWork {
    let transaction: Transaction
    let contents: ContentReleases
    let leftovers: Leftovers
    let attachments: AttachmentWrites
    let fileQuotas: FileQuotas

    /// Writes a whole file: a new one, or the new content of an existing one.
    ///
    /// - Parameter createsParents: True to create missing directories above the path.
    /// - Throws: `.parentDirectoryNotFound`; `.alreadyExists` if the path is a directory; `.invalidArgument` for too
    ///   many bytes; `.fileQuotaExceeded`.
    func saveFile(_ path: FilePath, _ bytes: [UInt8], createsParents: Bool) throws(StoreError) -> Commit {
        try writeFile(path, createsParents: createsParents) { (_) throws(StoreError) in bytes }
    }

    /// Appends bytes to a file. A missing file is created.
    ///
    /// - Throws: The same as `saveFile`; the file is then unchanged.
    func appendFile(_ path: FilePath, _ bytes: [UInt8], createsParents: Bool) throws(StoreError) -> Commit {
        if bytes.isEmpty, let row = try FileRow.find(path, connection), !row.isDirectory {
            return .unchanged(path)
        }
        let connection = connection
        return try writeFile(path, createsParents: createsParents) { (content) throws(StoreError) in
            try content.map { (number) throws(StoreError) in try FileContents.bytes(of: number, connection) + bytes }
                ?? bytes
        }
    }

    /// - Parameter bytes: Gets the number of the content that the file has now (`nil` for a new file), and returns the
    ///   bytes to write.
    private func writeFile(
        _ path: FilePath, createsParents: Bool, _ bytes: (Int64?) throws(StoreError) -> [UInt8]
    ) throws(StoreError) -> Commit {
        guard !path.isRoot else { throw Self.pathExists }
        let parent = try parentDirectory(of: path, createsParents: createsParents)
        let present = try self.present(path, in: parent)
        let presentContent: Int64?
        switch present?.kind {
        case .directory: throw Self.pathExists
        case .file(let content, _): presentContent = content
        case nil: presentContent = nil
        }
        let written = try FileContents.checked(bytes(presentContent))
        if case .file(let content, let byteCount) = present?.kind, written.count == byteCount,
            try written == FileContents.bytes(of: content, connection)
        {
            return .unchanged(path)
        }
        var commit = Commit()
        try put(path, in: parent, over: present, byteCount: UInt64(written.count), &commit) {
            (number, connection) throws(StoreError) in
            try FileContents.insert(written, number: number, connection)
        }
        return commit
    }

    /// Sets the content of the file at a path, and creates the file if it does not exist.
    ///
    /// - Parameters:
    ///   - byteCount: The length of the content.
    ///   - insert: Inserts the rows of the content under a number.
    /// - Throws: `.fileQuotaExceeded`; nothing was written then.
    func put(
        _ path: FilePath, in parent: ParentDirectory, over present: FileRow?, byteCount: UInt64,
        _ commit: inout Commit, _ insert: (Int64, Connection) throws(StoreError) -> Void
    ) throws(StoreError) {
        try expectRoom(for: .file(byteCount), replacing: present?.usage ?? .nothing, at: path)
        if let present {
            guard case .file(let content, _) = present.kind else { throw Self.pathExists }
            let number = Int64(nextRevision)
            try insert(number, connection)
            try replace(present, by: number, byteCount: byteCount, modified: now)
            try contents.release(content)
            finish(.updated, path, &commit)
        } else {
            let directory = try make(parent, &commit)
            let number = Int64(nextRevision)
            try insert(number, connection)
            _ = try insertFile(path.lastName, in: directory, content: number, byteCount: byteCount)
            finish(.created, path, &commit)
        }
    }

    /// - Throws: `.fileNotFound`, also for a directory.
    func deleteFile(_ path: FilePath) throws(StoreError) -> Commit {
        guard let row = try FileRow.find(path, connection), case .file(let content, _) = row.kind else {
            throw .fileNotFound
        }
        try remove(row)
        try contents.release(content)
        try touchParent(of: path)
        var commit = Commit()
        finish(.deleted, path, &commit)
        return commit
    }
}
