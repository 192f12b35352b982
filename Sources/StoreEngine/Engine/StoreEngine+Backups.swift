import Logging
package import StoreBasics
import Synchronization

extension StoreEngine {
    /// Returns the backups and uploads in the state directory, oldest name first, followed by the store that the last
    /// restore replaced. Works in every state of the store.
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

    /// Returns when the newest backup was made; `nil` without one. Considers the complete backups in the folder that a
    /// daemon made, and the backups that this process made, which may have been downloaded and deleted since. Ignores
    /// uploads, and backups with a date in the future. Reads the names, and usually the end of only one file.
    package var newestBackupAt: Timestamp? {
        let now = Timestamp.now
        let entries = (try? BackupFolder(existingIn: directory)?.entries()) ?? []
        let kept = entries.reversed().lazy.map { BackupInfo($0) }
            .first { $0.kind == .made && $0.isComplete && $0.createdAt <= now }
        return [kept?.createdAt, lastBackupAt.withLock { $0 }].compactMap { $0 }.filter { $0 <= now }.max()
    }

    /// Reads a part of a backup.
    ///
    /// - Parameter length: 1 to 1,048,576.
    /// - Returns: Fewer than `length` bytes only at the end.
    /// - Throws: `.backupNotFound`, `.backupIncomplete`, `.invalidArgument`, `.storageFailed`.
    package func readBackup(name: String, offset: UInt64, length: Int) throws(StoreError) -> BackupChunk {
        guard (1...BackupLimits.chunkBytesMax).contains(length) else {
            throw .invalidArgument("the length is \(length); it must be 1 to \(BackupLimits.chunkBytesMax)")
        }
        return try administration.withLock { _ throws(StoreError) in
            let entry = try BackupFolder(directory).completeEntry(named: name)
            guard offset <= entry.bytes else {
                throw .invalidArgument(
                    "the offset \(offset) is after the end of the backup, which has \(entry.bytes) bytes")
            }
            let file = try BackupFile(entry.path, .read)
            return BackupChunk(data: try file.read(length, at: offset), totalBytes: entry.bytes)
        }
    }

    /// Deletes a backup or an upload, or the store that the last restore replaced.
    ///
    /// - Throws: `.backupNotFound`, `.storageFailed`.
    package func deleteBackup(name: String) throws(StoreError) {
        try administer { () throws(StoreError) in
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
    /// Reads what a file shows without a key. For a damaged file, this is only its size and age.
    init(_ entry: BackupFolder.Entry) {
        var footer: BackupFooter?
        if entry.isComplete, let file = try? BackupFile(entry.path, .read) {
            footer = try? BackupFooter.read(from: file)
        }
        let isUpload = entry.name.announcedBytes != nil
        self.init(
            kind: isUpload ? .uploaded : .made, name: entry.name.text, number: footer?.number ?? 0,
            bytes: Int(clamping: entry.bytes), createdAt: footer?.createdAt ?? entry.modifiedAt,
            revision: footer?.revision ?? 0,
            isComplete: isUpload ? entry.isComplete : footer != nil)
    }

    fileprivate init(_ replaced: StoreRestore.ReplacedStore) {
        self.init(
            kind: .replacedStore, name: StoreRestore.replacedName, number: 0, bytes: replaced.bytes,
            createdAt: replaced.replacedAt, revision: replaced.revision, isComplete: true)
    }
}

extension StoreEngine {
    /// Begins the upload of a backup file. Works in every state of the store.
    ///
    /// - Parameter bytes: The size of the whole file.
    /// - Returns: The name for the following calls.
    /// - Throws: `.invalidArgument`, `.tooManyBackups`, `.diskFull`, `.storageFailed`.
    package func beginBackupUpload(bytes: UInt64) throws(StoreError) -> String {
        guard bytes > UInt64(BackupFooter.byteCountMin), bytes <= UInt64(Int64.max) else {
            throw .invalidArgument("a backup cannot have \(bytes) bytes; announce the size of the whole file")
        }
        return try administer { () throws(StoreError) in
            let folder = try BackupFolder(directory)
            try folder.removeUnfinished()
            try folder.checkRoom(forBytes: bytes)
            let name = BackupName.uploaded(at: .now, bytes: bytes)
            _ = try BackupFile(folder.path(of: name), .create)
            try folder.sync()
            return name.text
        }
    }

    /// Appends the next part of an upload. Parts must be sent in order. The last one makes the upload durable.
    ///
    /// - Returns: The number of bytes received so far.
    /// - Throws: `.backupNotFound`; `.invalidArgument` if the offset is not the number of received bytes, for an empty
    ///   part, and for more bytes than announced; `.diskFull`, `.storageFailed`. Nothing was written then.
    package func writeBackup(name: String, offset: UInt64, data: [UInt8]) throws(StoreError) -> UInt64 {
        guard (1...BackupLimits.chunkBytesMax).contains(data.count) else {
            throw .invalidArgument(
                "the piece has \(data.count) bytes; it must have 1 to \(BackupLimits.chunkBytesMax)")
        }
        return try administer { () throws(StoreError) in
            let folder = try BackupFolder(directory)
            let entry = try folder.entry(named: name)
            guard let announced = entry.name.announcedBytes, !entry.isComplete else {
                // A daemon that was killed may have written the last part without a sync. Its client, which got no
                // answer, sends the part again and learns from this error that the upload is complete. So the file is
                // synced first.
                try BackupFile(entry.path, .update).sync()
                throw .invalidArgument("the backup is already complete; it accepts no more bytes")
            }
            guard offset == entry.bytes else {
                throw .invalidArgument(
                    "the offset is \(offset), but the upload has \(entry.bytes) bytes; continue at byte \(entry.bytes)")
            }
            guard offset <= announced, UInt64(data.count) <= announced - offset else {
                throw .invalidArgument("the upload would be longer than the announced \(announced) bytes")
            }
            // The space that was free when the upload began may be used by now.
            try folder.checkDisk(forBytes: UInt64(data.count))
            return try append(data, to: entry, announced: announced)
        }
    }

    private func append(
        _ data: [UInt8], to entry: BackupFolder.Entry, announced: UInt64
    ) throws(StoreError) -> UInt64 {
        let file = try BackupFile(entry.path, .update)
        let received = entry.bytes + UInt64(data.count)
        do throws(StoreError) {
            try file.write(data, at: entry.bytes)
            if received == announced {
                try file.sync()
            }
        } catch {
            // Remove what was written of the part, because the next part must begin at the size that the client knows.
            try? file.truncate(to: entry.bytes)
            throw error
        }
        return received
    }
}
