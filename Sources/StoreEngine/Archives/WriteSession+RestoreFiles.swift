import SQLCipher
import StoreBasics

extension WriteSession {
    mutating func restore(_ directory: ArchivedDirectory, _ mode: RestoreMode) throws(StoreError) -> RestoreOutcome {
        let path = directory.path
        if let present = try FileRow.find(path, connection) {
            return present.isDirectory && present.modifiedAt == directory.modifiedAt ? .equal : .kept
        }
        guard !mode.isDryRun else { return .added }
        guard let parent = try makeParent(of: path) else { return .kept }
        try insertRestored(
            path, in: parent, content: nil, number: Int64(nextRevision), directory.createdAt, directory.modifiedAt)
        return .added
    }

    /// Of two files at one path the one that was written later stays.
    mutating func restore(
        _ file: ArchivedFile, _ bytes: RestoredBytes?, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        let present = try FileRow.find(file.path, connection)
        let outcome: RestoreOutcome
        switch present?.kind {
        case .directory: return .kept
        case .file(_, let byteCount):
            let isSame = present?.modifiedAt == file.modifiedAt && byteCount == file.byteCount
            outcome = .newer(file.modifiedAt, than: present?.modifiedAt ?? file.modifiedAt, isSame: isSame)
        case nil: outcome = .added
        }
        guard outcome.writes, !mode.isDryRun, let bytes else { return outcome }
        if let present, case .file(let old, _) = present.kind {
            let number = Int64(nextRevision)
            try insert(bytes, number: number)
            try connection.run(Self.replaceContent, present.number, number, number, file.modifiedAt)
            try release(old)
            record(.file, .updated, id: file.path.text)
        } else {
            guard let parent = try makeParent(of: file.path) else { return .kept }
            let number = Int64(nextRevision)
            try insert(bytes, number: number)
            try insertRestored(
                file.path, in: parent, content: number, number: number, file.createdAt, file.modifiedAt)
        }
        return outcome
    }

    /// - Returns: `nil` where a file has the name of a directory that the path lies in.
    private mutating func makeParent(of path: FilePath) throws(StoreError) -> Int64? {
        var commit = Commit()
        do throws(StoreError) {
            return try make(parentDirectory(of: path, createsParents: true), &commit)
        } catch {
            guard error.reason == .parentDirectoryNotFound else { throw error }
            return nil
        }
    }

    private func insert(_ bytes: RestoredBytes, number: Int64) throws(StoreError) {
        switch bytes {
        case .database(let bytes): try FileContents.insert(bytes, number: number, connection)
        case .vault(let content): try FileContents.insert(content, number: number, connection)
        }
    }

    /// - Parameter number: the revision that the change recorded here will have.
    private mutating func insertRestored(
        _ path: FilePath, in directory: Int64, content: Int64?, number: Int64, _ createdAt: Timestamp,
        _ modifiedAt: Timestamp
    ) throws(StoreError) {
        try connection.run(
            Self.insertFile, number, directory, path.lastName, content, number, createdAt, modifiedAt)
        record(.file, .created, id: path.text)
    }
}
