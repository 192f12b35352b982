import FoundationEssentials
import StoreProtocol

/// Backups: encrypted copies of the store with their keyring, kept by the daemon. Progress closures are called on the
/// connection's thread: return quickly.
extension StoreClient {
    /// Bytes of the largest chunk of `readBackup` and `writeBackup`.
    public static let backupChunkBytesMax = FrameLimits.backupChunkBytesMax

    /// Makes a consistent copy while the store serves.
    ///
    /// - Throws: `.tooManyBackups`, `.diskFull`.
    public func createBackup(
        progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(StoreClientError) -> Backup {
        try await finish(RequestBody(.createBackup(WireCreateBackupRequest())), progress: progress) { result in
            if case .backup(let backup) = result { Backup(backup) } else { nil }
        }
    }

    /// The backups and uploads that the daemon keeps, oldest name first, and behind them the store that was there
    /// before the last restore.
    public func backups() async throws(StoreClientError) -> [Backup] {
        let answered = try await answer(to: .listBackups(WireListBackupsRequest()), .read) { result in
            if case .backups(let list) = result { list.backups } else { nil }
        }
        return answered.map(Backup.init)
    }

    /// A part of a backup's file.
    ///
    /// - Parameters:
    ///   - name: as `backups()` tells it.
    ///   - offset: bytes from the start of the copy.
    ///   - length: 1 to `backupChunkBytesMax`; fewer bytes come at the end of the backup.
    /// - Throws: `.backupNotFound`, `.backupIncomplete`.
    public func readBackup(
        _ name: String, offset: UInt64, length: Int
    ) async throws(StoreClientError) -> BackupChunk {
        var call = WireReadBackupRequest()
        call.name = name
        call.offset = offset
        call.length = UInt32(clamping: length)
        let answered = try await answer(to: .readBackup(call), .read) { result in
            if case .backupData(let chunk) = result { chunk } else { nil }
        }
        return BackupChunk(data: Array(answered.data), totalBytes: answered.totalBytes)
    }

    /// Announces a backup file of so many bytes and gives the name to write it under.
    ///
    /// - Throws: `.tooManyBackups`, `.diskFull` where there is no room for all of it.
    public func beginBackupUpload(bytes: UInt64) async throws(StoreClientError) -> String {
        var call = WireBeginBackupUploadRequest()
        call.totalBytes = bytes
        return try await answer(to: .beginBackupUpload(call), .once) { result in
            if case .beginBackupUpload(let begun) = result { begun.name } else { nil }
        }
    }

    /// Sends the next chunk, at most `backupChunkBytesMax` bytes. The upload is complete when all are there.
    ///
    /// - Parameters:
    ///   - name: as `beginBackupUpload` gave it.
    ///   - offset: bytes that were sent before.
    ///   - data: 1 to `backupChunkBytesMax` bytes.
    /// - Returns: the bytes the daemon has in all.
    /// - Throws: `.backupNotFound`, `.diskFull`.
    public func writeBackup(
        _ name: String, offset: UInt64, data: [UInt8]
    ) async throws(StoreClientError) -> UInt64 {
        var call = WireWriteBackupRequest()
        call.name = name
        call.offset = offset
        call.data = Data(data)
        return try await answer(to: .writeBackup(call), .once) { result in
            if case .writeBackup(let written) = result { written.bytesReceived } else { nil }
        }
    }

    /// Opens the copy with its own keyring and reads every page and row.
    ///
    /// - Parameters:
    ///   - name: as `backups()` tells it.
    ///   - secret: may be left out while the store is open with the same master key.
    ///   - progress: called as the work goes on.
    /// - Throws: `.backupNotFound`, `.backupIncomplete`, `.backupDamaged`, `.backupKeyMissing` without a secret where
    ///   one is needed, `.wrongKey`, `.unlockThrottled`.
    public func verifyBackup(
        _ name: String, secret: consuming SecretInput? = nil,
        progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(StoreClientError) -> BackupReport {
        var call = WireVerifyBackupRequest()
        call.name = name
        var secrets = SecretList()
        if let secret = consume secret {
            call.secret = secrets.add(secret)
        }
        return try await finish(RequestBody(.verifyBackup(call), secrets: secrets), progress: progress) { result in
            if case .backupReport(let report) = result { BackupReport(report) } else { nil }
        }
    }

    /// Verifies the backup, then puts it in the store's place; the store that was there is kept beside it until it is
    /// deleted, as the backup of kind `.replacedStore`, or until the next restore.
    ///
    /// - Parameters:
    ///   - name: as `backups()` tells it.
    ///   - secret: opens one of the key slots of the backup; may be left out as in `verifyBackup`.
    ///   - replaceExisting: must be true when a store exists, else it is `.storeExists`.
    ///   - progress: called as the work goes on.
    /// - Throws: as `verifyBackup`, `.diskFull`. Revisions and sequence numbers of before mean nothing in the
    ///   restored store: followers end with `.historyChanged`.
    public func restoreBackup(
        _ name: String, secret: consuming SecretInput? = nil, replaceExisting: Bool = false,
        progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(StoreClientError) -> Statistics {
        var call = WireRestoreBackupRequest()
        call.name = name
        call.replaceExisting = replaceExisting
        var secrets = SecretList()
        if let secret = consume secret {
            call.secret = secrets.add(secret)
        }
        return try await finish(RequestBody(.restoreBackup(call), secrets: secrets), progress: progress) { result in
            if case .restoreBackup(let restored) = result { Statistics(restored.statistics) } else { nil }
        }
    }

    /// Deletes a backup, an upload or the replaced store.
    ///
    /// - Throws: `.backupNotFound`.
    public func deleteBackup(_ name: String) async throws(StoreClientError) {
        var call = WireDeleteBackupRequest()
        call.name = name
        try await answer(to: .deleteBackup(call), .once) { result in
            if case .deleteBackup = result { () } else { nil }
        }
    }
}
