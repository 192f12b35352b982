import ArgumentParser
import StoreClient

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Encrypted copies of the store with its keyring.",
        discussion: """
            The daemon keeps backups under its state directory. A backup is opened with the secrets the store had \
            when it was made, and with nothing else.
            """,
        subcommands: [
            BackupCreateCommand.self, BackupListCommand.self, BackupDownloadCommand.self, BackupUploadCommand.self,
            BackupVerifyCommand.self, BackupRestoreCommand.self, BackupDeleteCommand.self, BackupPruneCommand.self,
        ])
}

struct BackupListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the backups the daemon keeps.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.backups(), emptyText: "no backups")
    }
}

struct BackupDeleteCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a backup the daemon keeps.")

    @Argument(help: "Name of the backup.")
    var name: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try await session.client.deleteBackup(name)
        var object = JSONObject()
        object.add("deleted", name)
        try session.output.say("deleted backup \(name)", json: object)
    }
}
