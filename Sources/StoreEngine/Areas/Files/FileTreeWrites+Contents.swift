import SQLCipher
import StoreBasics

extension FileTreeWrites {
    /// Makes the bytes of a completed write the content of a file, or a content of attachments.
    ///
    /// - Parameter completion: `nil` for a write that is not running.
    func complete(_ completion: FileCompletion?) throws(StoreError) -> Commit {
        guard let completion else { throw .fileWriteNotFound }
        switch completion.goal {
        case .file(let path, let createsParents, let expectation):
            var commit = try completeFile(path, createsParents: createsParents, expectation, completion.content)
            // Do not return the path: the request contains no path, and the caller may have no right to read the path
            // of the write.
            commit.ids = []
            return commit
        case .attachment(let digest, let byteCount):
            return try attachments.keepAttachmentContent(digest, byteCount: byteCount, completion.content)
        }
    }

    /// - Throws: `.fileChanged` if the file does not have the content with which the write began;
    ///   `.parentDirectoryNotFound`; `.alreadyExists` if the path is a directory; `.fileQuotaExceeded`.
    private func completeFile(
        _ path: FilePath, createsParents: Bool, _ expectation: FileCompletion.Expectation,
        _ content: FileCompletion.Content
    ) throws(StoreError) -> Commit {
        guard !path.isRoot else { throw Self.pathExists }
        let parent = try parentDirectory(of: path, createsParents: createsParents)
        let present = try self.present(path, in: parent)
        guard !(present?.isDirectory ?? false) else { throw Self.pathExists }
        guard try expectation.holds(present, connection) else { throw .fileChanged }
        var commit = Commit()
        switch content {
        case .unchanged:
            break
        case .database(let bytes):
            try put(path, in: parent, over: present, byteCount: UInt64(bytes.count), &commit) {
                (number, connection) throws(StoreError) in
                try FileContents.insert(bytes, number: number, connection)
            }
        case .new(let content):
            try put(path, in: parent, over: present, byteCount: content.byteCount, &commit) {
                (number, connection) throws(StoreError) in
                try FileContents.insert(content, number: number, connection)
            }
        case .rewritten(let content):
            guard let present, try !FileContents.state(of: content.number, connection).isShared else {
                throw .fileChanged
            }
            try expectRoom(for: .file(content.byteCount), replacing: present.usage, at: path)
            try FileContents.rewrite(content, connection)
            try replace(present, by: content.number, byteCount: content.byteCount, modified: now)
            removedContent = true
            finish(.updated, path, &commit)
        }
        return commit
    }

    /// Deletes the rows of freed slots after the slots were overwritten on the disk.
    func forgetFreedSlots(_ content: Int64, _ slots: Range<UInt64>) throws(StoreError) -> Commit {
        try FreedSlotRows.forget(slots, of: content, connection)
        return Commit()
    }
}

extension FileCompletion.Expectation {
    /// Returns whether the expectation holds.
    ///
    /// - Parameter present: The file or directory at the path; `nil` if there is none.
    func holds(_ present: FileRow?, _ connection: Connection) throws(StoreError) -> Bool {
        switch (self, present?.kind) {
        case (_, .directory): false
        case (.anything, _), (.nothing, nil): true
        case (.content(let number, nil), .file(let content, _)): content == number
        case (.content(let number, let generation?), .file(let content, _)):
            content == number
                ? try FileContents.state(of: number, connection).generation == generation : false
        case (.nothing, .file), (.content, nil): false
        }
    }
}

extension FileTreeWrites {
    /// Removes a file with its content. The modification time of its directory stays.
    func remove(_ row: FileRow, with content: Int64, at path: FilePath) throws(StoreError) {
        try remove(row)
        try contents.release(content)
        record(.file, .deleted, id: path.text)
    }
}
