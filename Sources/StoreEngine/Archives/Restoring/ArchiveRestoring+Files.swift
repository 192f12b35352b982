import SQLCipher
import StoreBasics

extension ArchiveRestoring {
    func restore(_ directory: ArchivedDirectory, _ mode: RestoreMode) throws(StoreError) -> RestoreOutcome {
        let path = directory.path
        var outcome = RestoreOutcome.added
        if let present = try FileRow.find(path, connection) {
            guard case .file(let content, _) = present.kind else { return try restore(directory, over: present, mode) }
            // A directory that was moved or copied to the path of a file replaces the file.
            guard mode.changedAt != nil, mode.isNewer(directory.modifiedAt, than: present.modifiedAt) else {
                return .kept
            }
            outcome = .updated
            if !mode.isDryRun {
                try areas.files.remove(present, with: content, at: path)
            }
        }
        guard try canBeMade(path) else { return .kept }
        guard !mode.isDryRun else { return outcome }
        guard let parent = try makeParent(of: path) else { return .kept }
        try insertRestored(
            path, in: parent, content: nil, FileUsage(directoryCount: 1), number: Int64(nextRevision),
            directory.createdAt, directory.modifiedAt)
        return outcome
    }

    /// Restores the modification time of an existing directory.
    private func restore(
        _ directory: ArchivedDirectory, over present: FileRow, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        guard present.modifiedAt != directory.modifiedAt else { return .equal }
        guard mode.changedAt != nil, mode.isNewer(directory.modifiedAt, than: present.modifiedAt) else { return .kept }
        if !mode.isDryRun {
            try connection.run(FileTreeWrites.touchDirectory, present.number, directory.modifiedAt)
            record(.file, .updated, id: directory.path.text)
        }
        return .updated
    }

    /// Restores a file. If the store has a file at the path, the version that was written later is kept.
    func restore(
        _ file: ArchivedFile, _ bytes: RestoredBytes?, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        let present = try FileRow.find(file.path, connection)
        let outcome: RestoreOutcome
        switch present?.kind {
        case .directory: return .kept
        case .file(_, let byteCount):
            let hasSameTime = mode.hasSameTime(file.createdAt, as: present?.createdAt ?? file.createdAt)
            let isSame = present?.modifiedAt == file.modifiedAt && byteCount == file.byteCount && hasSameTime
            outcome = mode.outcome(file.modifiedAt, than: present?.modifiedAt ?? file.modifiedAt, isSame: isSame)
        case nil: outcome = try canBeMade(file.path) ? .added : .kept
        }
        guard outcome.writes, !mode.isDryRun, let bytes else { return outcome }
        if let present, case .file(let old, _) = present.kind {
            let number = Int64(nextRevision)
            try bytes.insert(number: number, connection)
            try areas.files.replace(present, by: number, byteCount: bytes.byteCount, modified: file.modifiedAt)
            if mode.changedAt != nil {
                try connection.run(Self.setCreationTime, present.number, file.createdAt)
            }
            try areas.contents.release(old)
            record(.file, .updated, id: file.path.text)
        } else {
            guard let parent = try makeParent(of: file.path) else { return .kept }
            let number = Int64(nextRevision)
            try bytes.insert(number: number, connection)
            try insertRestored(
                file.path, in: parent, content: number, FileUsage.file(bytes.byteCount), number: number, file.createdAt,
                file.modifiedAt)
        }
        return outcome
    }

    /// Returns true if the directories above the path exist or can be created. They cannot if a file has the name of
    /// one of them.
    private func canBeMade(_ path: FilePath) throws(StoreError) -> Bool {
        do throws(StoreError) {
            _ = try areas.files.parentDirectory(of: path, createsParents: true)
            return true
        } catch {
            guard error.reason == .parentDirectoryNotFound else { throw error }
            return false
        }
    }

    private static let setCreationTime = StatementText("UPDATE OR FAIL files SET created_at = ?2 WHERE number = ?1")

    /// - Returns: The number of the directory that contains the path; `nil` if a file has the name of a directory above
    ///   the path.
    private func makeParent(of path: FilePath) throws(StoreError) -> Int64? {
        var commit = Commit()
        do throws(StoreError) {
            return try areas.files.make(areas.files.parentDirectory(of: path, createsParents: true), &commit)
        } catch {
            guard error.reason == .parentDirectoryNotFound else { throw error }
            return nil
        }
    }

    /// - Parameter number: The number of the new row, which is the revision of the change that this function records.
    private func insertRestored(
        _ path: FilePath, in directory: Int64, content: Int64?, _ usage: FileUsage, number: Int64,
        _ createdAt: Timestamp, _ modifiedAt: Timestamp
    ) throws(StoreError) {
        try areas.files.insertRow(
            number, path.lastName, in: directory, content: content, usage, created: createdAt, modified: modifiedAt)
        record(.file, .created, id: path.text)
    }
}
