internal import Logging

extension StoreEngine {
    /// The backups and uploads under the state directory, oldest name first, and behind them the store that was there
    /// before the last restore. Works in every state of the store.
    ///
    /// - Throws: `.storageFailed`.
    package func listBackups() throws(StoreError) -> [BackupInfo] {
        try administration.withLock { _ throws(StoreError) in
            let folder = try BackupFolder(directory)
            try folder.removeUnfinished()
            var backups = try folder.entries().map(BackupInfo.init)
            if let replaced = try StoreRestore(directory).replacedStore() {
                backups.append(BackupInfo(replaced))
            }
            return backups
        }
    }

    /// - Parameter length: 1 to 1,048,576.
    /// - Returns: fewer than `length` bytes only at the end.
    /// - Throws: `.backupNotFound`, `.backupIncomplete`, `.invalidArgument`, `.storageFailed`.
    package func readBackup(name: String, offset: UInt64, length: Int) throws(StoreError) -> BackupChunk {
        guard (1...BackupLimits.chunkBytesMax).contains(length) else {
            throw .invalidArgument("the length is \(length); it must be 1 to \(BackupLimits.chunkBytesMax)")
        }
        return try administration.withLock { _ throws(StoreError) in
            let entry = try BackupFolder(directory).completeEntry(named: name)
            guard offset <= entry.bytes else {
                throw .invalidArgument("the offset is \(offset) and the backup has \(entry.bytes) bytes")
            }
            let file = try BackupFile(entry.path, .read)
            return BackupChunk(data: try file.read(length, at: offset), wholeBytes: entry.bytes)
        }
    }

    /// - Throws: `.backupNotFound`, `.storageFailed`.
    package func deleteBackup(name: String) throws(StoreError) {
        try administration.withLock { _ throws(StoreError) in
            let restore = StoreRestore(directory)
            if name == StoreRestore.replacedName, try restore.replacedStore() != nil {
                return try restore.removeReplacedStore()
            }
            let folder = try BackupFolder(directory)
            try folder.remove(try folder.entry(named: name))
        }
        logger.info("a backup was deleted")
    }
}

extension BackupInfo {
    /// What a file tells without a key; a damaged one tells its size and age.
    init(_ entry: BackupFolder.Entry) {
        var footer: BackupFooter?
        if entry.isComplete, let file = try? BackupFile(entry.path, .read) {
            footer = try? BackupFooter.read(from: file)
        }
        let isUpload = entry.name.announcedBytes != nil
        self.init(
            kind: isUpload ? .uploaded : .made, name: entry.name.text, bytes: Int(clamping: entry.bytes),
            createdAt: footer?.createdAt ?? entry.modifiedAt, revision: footer?.revision ?? 0,
            isComplete: isUpload ? entry.isComplete : footer != nil)
    }

    fileprivate init(_ replaced: StoreRestore.ReplacedStore) {
        self.init(
            kind: .replacedStore, name: StoreRestore.replacedName, bytes: replaced.bytes,
            createdAt: replaced.replacedAt, revision: 0, isComplete: true)
    }
}
