import ArgumentParser
import StoreClient

struct BackupCreateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a consistent copy while the store serves.",
        discussion: """
            The daemon keeps it. With --output it is then fetched into a file, and the daemon's copy is deleted once \
            the file is safe on disk, or when it cannot be fetched, unless --keep is given. Interrupted, it waits \
            until the daemon has ended its copy, and deletes it.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(name: .shortAndLong, help: "Fetch it into a file.", completion: .file())
    var output: String?

    @Flag(help: "Replace a file that is there.")
    var force = false

    @Flag(help: "With --output: the daemon keeps its copy, whatever becomes of the file.")
    var keep = false

    func run(_ session: Session) async throws {
        let waitingFor = "waiting for the daemon's copy" + (keep ? ", which it keeps" : ", to delete it")
        let backup = try await Interruption.deferred(waitingFor) {
            guard let output else {
                return try await make(session)
            }
            return try await make(session, into: output)
        }
        try session.output.show(backup)
    }

    /// One that the daemon keeps.
    private func make(_ session: Session) async throws -> Backup {
        let backup = try await create(session)
        try await session.client.deletingUnlessFinished(backup.name, isKept: keep) {
            try Interruption.check()
        }
        return backup
    }

    /// One in a file, which is made first: without it nothing is asked of the daemon.
    private func make(_ session: Session, into path: String) async throws -> Backup {
        var file = try OutputFile(path, replacesExisting: force)
        let backup = try await create(session)
        let transfer = BackupTransfer(client: session.client, global: global)
        try await session.client.deletingUnlessFinished(backup.name, isKept: keep) {
            try await transfer.download(backup.name, into: file)
            try file.commit()
        }
        if !keep {
            do throws(StoreClientError) {
                try await session.client.deleteBackup(backup.name)
            } catch {
                throw CommandFailure(
                    FailureMapping.failure(of: error).status,
                    "\(path) is safe, but \(BackupTransfer.leftBehind(backup.name, error))")
            }
        }
        return backup
    }

    private func create(_ session: Session) async throws -> Backup {
        try await session.withProgress("copying") { progress in
            do throws(StoreClientError) {
                return try await session.client.createBackup(progress: progress)
            } catch {
                let failure = FailureMapping.failure(of: error)
                guard [.connectionLost, .deadlineExceeded].contains(error.reason) else {
                    throw failure
                }
                throw CommandFailure(
                    failure.status,
                    "\(failure.message); the daemon may keep a copy: hint: ghoststorectl backup list")
            }
        }
    }
}
