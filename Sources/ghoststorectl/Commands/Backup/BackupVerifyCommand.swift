import ArgumentParser
import StoreClient

struct BackupVerifyCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Open a backup with its own keyring and read every page and row.",
        discussion: """
            Exits 4 when something is wrong with it. While the store is open under the same master key no secret is \
            needed; otherwise give one, or --ask for the passphrase.
            """)

    @OptionGroup var backup: BackupOption
    @OptionGroup var secret: SecretOptions
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Ask for the backup's passphrase.")
    var ask = false

    func run(_ session: Session) async throws {
        let report = try await backup.use(session) { name in
            try await session.withProgress("verifying") { progress in
                try await session.client.verifyBackup(
                    name, secret: try secret.readOptional(asks: ask), progress: progress)
            }
        }
        try session.output.show(report)
        guard report.isClean else {
            throw CommandFailure(
                .damaged, "the backup is damaged: \(Quantity.count(report.findings.count, "finding"))")
        }
    }
}

extension SecretOptions {
    /// For what may go without a secret.
    func readOptional(asks: Bool) throws -> SecretInput? {
        guard isGiven || asks else {
            return nil
        }
        return try read(prompt: "Passphrase of the backup")
    }
}
