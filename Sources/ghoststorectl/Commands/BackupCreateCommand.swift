import ArgumentParser
import Glibc
import StoreClient

struct BackupCreateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a consistent copy while clients use the store.",
        discussion: """
            Without --output the daemon keeps the copy. With --output the command writes the copy to a file and then \
            deletes the daemon's copy, even if writing the file fails. If you interrupt the command, it waits until \
            the daemon has finished the copy, and deletes the copy. With --keep the daemon's copy is never deleted.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(name: .shortAndLong, help: "Write the copy to a file; '-' is standard output.", completion: .file())
    var output: String?

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(help: "Never delete the daemon's copy.")
    var keep = false

    func run(_ session: Session) async throws {
        let waitingFor =
            "waiting until the daemon has finished its copy, which is then " + (keep ? "kept" : "deleted")
        try await Interruption.deferred(waitingFor) {
            guard let output else { return try session.output.show(try await make(session)) }
            try await make(session, into: output)
        }
    }

    /// Creates a backup that the daemon keeps.
    private func make(_ session: Session) async throws -> Backup {
        let backup = try await create(session)
        try await session.client.deletingUnlessFinished(backup.name, isKept: keep) {
            try Interruption.check()
        }
        return backup
    }

    /// Creates a backup in a file. The file is created first, so that the daemon does no work if that fails.
    private func make(_ session: Session, into path: String) async throws {
        let file = try OutputFile(path, replacesExisting: force)
        let backup = try await create(session)
        let transfer = BackupTransfer(client: session.client, global: global)
        try await session.client.deletingUnlessFinished(backup.name, isKept: keep) {
            try await transfer.download(backup.name, into: file)
            try file.commit()
        }
        let output = session.output(beside: file)
        guard keep else {
            do throws(StoreClientError) {
                try await session.client.deleteBackup(backup.name)
            } catch {
                throw FailureMapping.failure(of: error)
                    .saying { _ in "\(path) is safe, but \(BackupTransfer.leftBehind(backup.name, error))" }
            }
            let name = file.isStandardOutput ? "standard output" : path
            let made = "the backup is in \(name): \(Quantity.bytes(backup.bytes)), revision \(backup.revision)"
            return try output.say(made, json: backup.json)
        }
        try output.show(backup)
    }

    private func create(_ session: Session) async throws -> Backup {
        try await session.withProgress("copying", "pages") { progress in
            do throws(StoreClientError) {
                return try await session.client.createBackup(progress: progress)
            } catch {
                let failure = FailureMapping.failure(of: error)
                guard [.connectionLost, .deadlineExceeded].contains(error.reason) else { throw failure }
                throw failure.advising("ghoststorectl backup list") {
                    "\($0); perhaps the backup is or will be complete, and stays"
                }
            }
        }
    }
}

/// Transfers backups between the daemon and files, chunk by chunk.
struct BackupTransfer {
    let client: StoreClient
    let global: GlobalOptions

    /// - Throws: The error of the daemon or of the file, or a failure if a signal asks the program to end.
    func download(_ name: String, into file: borrowing OutputFile) async throws {
        let bar = global.progressBar("downloading", .bytes)
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
                throw CommandFailure(.damaged, "the backup became shorter while it was read")
            }
        }
        try writer.flush()
    }

    /// Uploads a backup. If this throws, the daemon keeps no part of the backup. It also throws if a signal asks the
    /// program to end.
    ///
    /// - Returns: The name under which the daemon keeps the backup.
    func upload(_ path: String) async throws -> String {
        let file = try InputFile(path)
        guard let totalBytes = file.bytes, totalBytes > 0 else {
            throw CommandFailure(
                .noInput,
                """
                \(file.name) is empty or not a regular file; hint: do not use a pipe, because the size must be \
                known first
                """)
        }
        let bar = global.progressBar("uploading", .bytes)
        defer { bar.finish() }
        let name = try await client.beginBackupUpload(bytes: totalBytes)
        try await client.deletingUnlessFinished(name) {
            var offset: UInt64 = 0
            while offset < totalBytes {
                try Interruption.check()
                let wanted = min(UInt64(StoreClient.backupChunkBytesMax), totalBytes - offset)
                let chunk = try file.readChunk(bytes: Int(wanted))
                guard !chunk.isEmpty else {
                    throw CommandFailure(.inputOutput, "\(file.name) became shorter while it was read")
                }
                _ = try await client.writeBackup(name, offset: offset, data: chunk)
                offset += UInt64(chunk.count)
                bar.update(done: offset, total: totalBytes, note: Quantity.bytes(offset))
            }
            try Interruption.check()
        }
        return name
    }
}

extension StoreClient {
    /// Calls `body`, which works on a backup that the daemon keeps. If `body` fails, deletes the backup; if that fails
    /// too, warns that the backup still exists.
    ///
    /// - Parameter isKept: True to keep the backup even if `body` fails.
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
        "the daemon's copy \(name) could not be deleted: \(FailureMapping.failure(of: error).cause); hint: "
            + "ghoststorectl backup list"
    }
}
