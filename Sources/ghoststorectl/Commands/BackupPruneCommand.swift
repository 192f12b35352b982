import ArgumentParser
import StoreClient

struct BackupPruneCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Delete old backups by a rule.",
        discussion: """
            The --keep options say which backups to keep; give at least one of them. The command deletes all other \
            backups that the daemon made. Days are in UTC, and weeks begin on Monday.

            Incomplete backups, uploads, and the store that the last restore replaced are neither counted nor deleted. \
            --uploads deletes the uploads too.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Keep this many of the newest backups.", valueName: "count"))
    var keepLast: Int?

    @Option(
        help: ArgumentHelp(
            """
            Keep the newest backup of each day, for this many of the latest days that have a backup.
            """, valueName: "count"))
    var keepDaily: Int?

    @Option(
        help: ArgumentHelp(
            """
            Keep the newest backup of each week, for this many of the latest weeks that have a backup.
            """, valueName: "count"))
    var keepWeekly: Int?

    @Option(
        help: ArgumentHelp(
            """
            Keep the newest backup of each month, for this many of the latest months that have a backup.
            """, valueName: "count"))
    var keepMonthly: Int?

    @Flag(help: "Also delete all uploads, complete and incomplete ones.")
    var uploads = false

    @Flag(help: "Only print what would be deleted.")
    var dryRun = false

    func check() throws(CommandFailure) {
        let counts = [keepLast, keepDaily, keepWeekly, keepMonthly].compactMap { $0 }
        guard !counts.isEmpty, counts.allSatisfy({ $0 >= 1 }) else {
            throw CommandFailure(
                .usage,
                """
                give at least one of --keep-last, --keep-daily, --keep-weekly and --keep-monthly, each with a \
                count of at least 1
                """)
        }
    }

    func run(_ session: Session) async throws {
        let backups = try await session.client.backups()
        let retention = BackupRetention(
            newest: keepLast ?? 0, days: keepDaily ?? 0, weeks: keepWeekly ?? 0, months: keepMonthly ?? 0)
        let dropped = retention.dropped(of: backups) + backups.filter { uploads && $0.kind == .uploaded }
        for backup in dropped {
            if !dryRun {
                try await delete(backup, session.client)
            }
            try session.output.say(
                "\(dryRun ? "would delete" : "deleted") backup \(backup.name)",
                json: ["deleted": backup.name, "dry_run": dryRun], name: dryRun ? backup.name : nil)
        }
        if dropped.isEmpty, case .people = session.output.form {
            try session.output.line("nothing to delete")
        }
    }

    /// Deletes a backup. A backup that another client has deleted in the meantime counts as deleted.
    private func delete(_ backup: Backup, _ client: StoreClient) async throws(StoreClientError) {
        do throws(StoreClientError) {
            try await client.deleteBackup(backup.name)
        } catch {
            guard error.reason == .backupNotFound else { throw error }
        }
    }
}
