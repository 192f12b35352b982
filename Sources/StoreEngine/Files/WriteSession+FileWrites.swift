import SQLCipher
import StoreBasics

extension WriteSession {
    /// Makes what was written in pieces a file's, at once.
    ///
    /// - Parameter completion: `nil` for a write that does not run.
    /// - Throws: `.fileWriteNotFound`; `.fileChanged` where the file is not what the write began with;
    ///   `.parentDirectoryNotFound`; `.alreadyExists` where a directory has the path.
    mutating func completeFile(_ completion: FileCompletion?) throws(StoreError) -> Commit {
        guard let completion else { throw .fileWriteNotFound }
        let path = completion.path
        guard !path.isRoot else { throw Self.taken }
        let parent = try parentDirectory(of: path, createsParents: completion.createsParents)
        let present = try self.present(path, in: parent)
        guard !(present?.isDirectory ?? false) else { throw Self.taken }
        guard try completion.expectation.holds(present, connection) else { throw .fileChanged }
        var commit = Commit()
        switch completion.content {
        case .unchanged:
            break
        case .database(let bytes):
            try put(path, in: parent, over: present, &commit) { (number, connection) throws(StoreError) in
                try FileContents.insert(bytes, number: number, connection)
            }
        case .new(let content):
            try put(path, in: parent, over: present, &commit) { (number, connection) throws(StoreError) in
                try FileContents.insert(content, number: number, connection)
            }
        case .rewritten(let content):
            guard let present, try !FileContents.state(of: content.number, connection).isShared else {
                throw .fileChanged
            }
            try FileContents.rewrite(content, connection)
            try connection.run(Self.replaceContent, present.number, content.number, nextRevision, now)
            removedContent = true
            finish(.updated, path, &commit)
        }
        return commit
    }

    /// Slots whose chunks were written anew have been overwritten.
    func forgetFreedSlots(_ content: Int64, _ slots: Range<UInt64>) throws(StoreError) -> Commit {
        try FreedSlotRows.forget(slots, of: content, connection)
        return Commit()
    }
}
