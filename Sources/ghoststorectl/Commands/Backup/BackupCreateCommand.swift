import ArgumentParser
import StoreClient

struct BackupCreateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a consistent copy while the store serves.",
        discussion: """
            The daemon keeps it. With --output it is then fetched into a file, and the daemon's copy is deleted once \
            the file is safe on disk, unless --keep is given.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(name: .shortAndLong, help: "Fetch it into a file.", completion: .file())
    var output: String?

    @Flag(help: "Replace a file that is there.")
    var force = false

    @Flag(help: "With --output: the daemon keeps its copy too.")
    var keep = false

    func run(_ session: Session) async throws {
        let backup = try await session.withProgress("copying") { progress in
            try await session.client.createBackup(progress: progress)
        }
        if let output {
            let transfer = BackupTransfer(client: session.client, global: global)
            try await transfer.download(backup.name, to: output, replacesExisting: force)
            if !keep {
                try await session.client.deleteBackup(backup.name)
            }
        }
        try session.output.show(backup)
    }
}
