import ArgumentParser
import StoreClient

struct BackupPruneCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Delete all but some of the backups the daemon made.",
        discussion: """
            Kept are the newest ones, and the newest one of each of the newest days (in UTC) that have any; at least \
            one of both options is needed. Backups that are not whole are neither counted nor deleted. Neither are \
            uploads, unless --uploads is given, and the store before the last restore.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Keep so many of the newest ones.", valueName: "count"))
    var keepLast: Int?

    @Option(help: ArgumentHelp("Keep the newest one of so many days.", valueName: "count"))
    var keepDaily: Int?

    @Flag(help: "Delete every upload too, whole or not.")
    var uploads = false

    @Flag(help: "Only say what would be deleted.")
    var dryRun = false

    func check() throws(CommandFailure) {
        let counts = [keepLast, keepDaily].compactMap { $0 }
        guard !counts.isEmpty, counts.allSatisfy({ $0 >= 1 }) else {
            throw CommandFailure(.usage, "give --keep-last, --keep-daily or both, each with a count of at least 1")
        }
    }

    func run(_ session: Session) async throws {
        let backups = try await session.client.backups()
        let retention = BackupRetention(newest: keepLast ?? 0, days: keepDaily ?? 0)
        let dropped = retention.dropped(of: backups) + backups.filter { uploads && $0.kind == .uploaded }
        for backup in dropped {
            if !dryRun {
                try await delete(backup, session.client)
            }
            try session.output.say(
                "\(dryRun ? "would delete" : "deleted") backup \(backup.name)",
                json: ["deleted": backup.name, "dry_run": dryRun])
        }
        if dropped.isEmpty, !global.json {
            try session.output.line("nothing to delete")
        }
    }

    /// One that somebody else has deleted meanwhile is gone as well.
    private func delete(_ backup: Backup, _ client: StoreClient) async throws(StoreClientError) {
        do throws(StoreClientError) {
            try await client.deleteBackup(backup.name)
        } catch {
            guard error.reason == .backupNotFound else { throw error }
        }
    }
}

/// Which backups are kept.
struct BackupRetention {
    /// So many of the newest ones.
    let newest: Int
    /// The newest one of each of so many days.
    let days: Int

    /// The backups that go, oldest first: of those that the daemon made and that are whole.
    func dropped(of backups: [Backup]) -> [Backup] {
        let counted = backups.filter { $0.kind == .made && $0.isComplete }
            .sorted { ($0.createdAt, $0.name) > ($1.createdAt, $1.name) }
        var daysSeen: Set<Int64> = []
        let kept = counted.enumerated().filter { index, backup in
            let isNewestOfDay = daysSeen.insert(Self.day(of: backup)).inserted
            return index < newest || (isNewestOfDay && daysSeen.count <= days)
        }
        let names = Set(kept.map(\.element.name))
        return counted.filter { !names.contains($0.name) }.reversed()
    }

    /// Days since 1970-01-01 UTC.
    private static func day(of backup: Backup) -> Int64 {
        let microseconds = backup.createdAt.microseconds
        let (day, rest) = microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
        return rest < 0 ? day - 1 : day
    }
}
