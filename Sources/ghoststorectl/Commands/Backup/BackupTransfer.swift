import Glibc
import StoreClient

/// Moves backups between the daemon and files, chunk by chunk.
struct BackupTransfer {
    let client: StoreClient
    let global: GlobalOptions

    /// The file is there whole and synced when this returns.
    func download(_ name: String, to path: String, replacesExisting: Bool) async throws {
        var file = try OutputFile(path, replacesExisting: replacesExisting)
        try await download(name, into: file)
        try file.commit()
    }

    /// - Throws: also when a signal asks to end.
    func download(_ name: String, into file: borrowing OutputFile) async throws {
        let bar = global.progressBar("downloading")
        defer { bar.finish() }
        let writer = DescriptorWriter(descriptor: file.descriptor)
        var offset: UInt64 = 0
        while true {
            try Interruption.check()
            let chunk = try await client.readBackup(
                name, offset: offset, length: StoreClient.backupChunkBytesMax)
            try writer.write(chunk.data)
            offset += UInt64(chunk.data.count)
            bar.update(done: offset, total: chunk.totalBytes, note: Quantity.bytes(offset))
            if offset >= chunk.totalBytes {
                break
            }
            guard !chunk.data.isEmpty else {
                throw CommandFailure(.damaged, "the backup ended early: it was cut off while it was read")
            }
        }
        try writer.flush()
    }

    /// Nothing of it stays in the daemon when this throws, which it also does when a signal asks to end.
    ///
    /// - Returns: the name the daemon keeps it under.
    func upload(_ path: String) async throws -> String {
        let file = try InputFile(path)
        guard let totalBytes = file.bytes, totalBytes > 0 else {
            throw CommandFailure(.noInput, "\(path) is empty or no regular file")
        }
        let bar = global.progressBar("uploading")
        defer { bar.finish() }
        let name = try await client.beginBackupUpload(bytes: totalBytes)
        try await client.deletingUnlessFinished(name) {
            var offset: UInt64 = 0
            while offset < totalBytes {
                try Interruption.check()
                let wanted = min(UInt64(StoreClient.backupChunkBytesMax), totalBytes - offset)
                let chunk = try file.readChunk(bytes: Int(wanted))
                guard !chunk.isEmpty else {
                    throw CommandFailure(.inputOutput, "\(path) became shorter while it was read")
                }
                _ = try await client.writeBackup(name, offset: offset, data: chunk)
                offset += UInt64(chunk.count)
                bar.update(done: offset, total: totalBytes, note: Quantity.bytes(offset))
            }
        }
        return name
    }
}

extension StoreClient {
    /// Does something with a backup that the daemon keeps for this command. When it fails the backup is deleted, or at
    /// least said to be there.
    func deletingUnlessFinished<Result>(
        _ name: String, isKept: Bool = false, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch {
            if !isKept {
                do throws(StoreClientError) {
                    try await deleteBackup(name)
                } catch {
                    Diagnostics.warn(BackupTransfer.leftBehind(name, error))
                }
            }
            throw error
        }
    }
}

extension BackupTransfer {
    static func leftBehind(_ name: String, _ error: StoreClientError) -> String {
        "the daemon's copy \(name) could not be deleted: \(error); hint: ghoststorectl backup delete \(name)"
    }
}
