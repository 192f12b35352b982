import SQLCipher
import StoreBasics

extension WriteSession {
    mutating func restore(_ directory: ArchivedDirectory, isDryRun: Bool) throws(StoreError) -> RestoreOutcome {
        let path = directory.path
        if let present = try FileRow.find(path, connection) {
            return present.isDirectory && present.modifiedAt == directory.modifiedAt ? .equal : .kept
        }
        guard !isDryRun else { return .added }
        guard let parent = try makeParent(of: path) else { return .kept }
        try insertRestored(
            path, in: parent, content: nil, FileUsage(directoryCount: 1), number: Int64(nextRevision),
            directory.createdAt, directory.modifiedAt)
        return .added
    }

    /// Of two files at one path the one that was written later stays.
    mutating func restore(
        _ file: ArchivedFile, _ content: RestoredContent?, isDryRun: Bool
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
        guard outcome.writes, !isDryRun, let content else { return outcome }
        if let present, case .file(let old, _) = present.kind {
            let number = Int64(nextRevision)
            try insert(content, number: number)
            try replace(present, by: number, byteCount: content.byteCount, modified: file.modifiedAt)
            try release(old)
            record(.file, .updated, id: file.path.text)
        } else {
            guard let parent = try makeParent(of: file.path) else { return .kept }
            let number = Int64(nextRevision)
            try insert(content, number: number)
            try insertRestored(
                file.path, in: parent, content: number, .file(content.byteCount), number: number, file.createdAt,
                file.modifiedAt)
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

    private func insert(_ content: RestoredContent, number: Int64) throws(StoreError) {
        switch content {
        case .database(let bytes): try FileContents.insert(bytes, number: number, connection)
        case .vault(let content): try FileContents.insert(content, number: number, connection)
        }
    }

    /// - Parameter number: the revision that the change recorded here will have.
    private mutating func insertRestored(
        _ path: FilePath, in directory: Int64, content: Int64?, _ usage: FileUsage, number: Int64,
        _ createdAt: Timestamp, _ modifiedAt: Timestamp
    ) throws(StoreError) {
        try insertRow(
            number, path.lastName, in: directory, content: content, usage, created: createdAt, modified: modifiedAt)
        record(.file, .created, id: path.text)
    }
}

extension RestoredContent {
    fileprivate var byteCount: UInt64 {
        switch self {
        case .database(let bytes): UInt64(bytes.count)
        case .vault(let content): content.byteCount
        }
    }
}
