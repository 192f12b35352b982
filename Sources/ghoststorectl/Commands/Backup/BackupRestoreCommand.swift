import ArgumentParser
import StoreClient

struct BackupRestoreCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Verify a backup and put it in the store's place.",
        discussion: """
            A store that is there is replaced only with --replace, and kept beside it until the next restore. While \
            the store is open under the same master key no secret is needed; otherwise give one, or --ask for the \
            passphrase.
            """)

    @OptionGroup var backup: BackupOption
    @OptionGroup var secret: SecretOptions
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Ask for the backup's passphrase.")
    var ask = false

    @Flag(help: "Replace the store that is there.")
    var replace = false

    func run(_ session: Session) async throws {
        let statistics = try await backup.use(session) { name in
            try await session.withProgress("restoring") { progress in
                try await session.client.restoreBackup(
                    name, secret: try secret.readOptional(asks: ask), replaceExisting: replace, progress: progress)
            }
        }
        try session.output.show(statistics)
    }
}
