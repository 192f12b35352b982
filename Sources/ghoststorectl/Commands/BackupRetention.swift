import StoreBasics
import StoreClient

/// The rule that decides which backups are kept.
struct BackupRetention {
    /// The number of newest backups to keep.
    let newest: Int
    /// The number of latest days whose newest backup is kept. Days without a backup are not counted.
    let days: Int
    /// The number of latest weeks whose newest backup is kept. Weeks without a backup are not counted.
    let weeks: Int
    /// The number of latest months whose newest backup is kept. Months without a backup are not counted.
    let months: Int

    /// Returns the backups to delete, oldest first. Only complete backups that the daemon made are considered.
    ///
    /// The order of backups is not decided by their dates alone, because a backup that was made while the clock was
    /// ahead would displace all later ones. Dates only separate days, weeks and months.
    func dropped(of backups: [Backup]) -> [Backup] {
        let counted = backups.filter { $0.kind == .made && $0.isComplete }.sorted { Self.isNewer($0, $1) }
        var kept = Set(counted.prefix(newest).map(\.name))
        kept.formUnion(Self.newestOfEach(days, of: counted) { $0.day })
        kept.formUnion(Self.newestOfEach(weeks, of: counted) { $0.week })
        kept.formUnion(Self.newestOfEach(months, of: counted) { $0.month })
        return counted.filter { !kept.contains($0.name) }.reversed()
    }

    private static func isNewer(_ left: Backup, _ right: Backup) -> Bool {
        (left.number, left.revision, left.createdAt, left.name)
            > (right.number, right.revision, right.createdAt, right.name)
    }

    /// - Parameter counted: The backups, newest first.
    private static func newestOfEach(
        _ count: Int, of counted: [Backup], _ period: (CalendarPlace) -> Int64
    ) -> [String] {
        var seen: Set<Int64> = []
        return counted.filter { seen.count < count && seen.insert(period(CalendarPlace($0.createdAt))).inserted }
            .map(\.name)
    }
}

/// The day, week and month of a time in UTC. Each is a number that grows with time, so that different periods have
/// different numbers.
private struct CalendarPlace {
    private static let secondsPerDay: Int64 = 86_400
    /// 1970-01-01 was a Thursday.
    private static let daysBeforeFirstThursday: Int64 = 3

    let day: Int64
    /// The number of the week. Weeks begin with Monday.
    let week: Int64
    let month: Int64

    init(_ time: Timestamp) {
        let seconds = time.microseconds.flooredQuotient(1_000_000)
        day = seconds.flooredQuotient(Self.secondsPerDay)
        week = (day + Self.daysBeforeFirstThursday).flooredQuotient(7)
        month = CalendarTime(secondsSinceEpoch: seconds).month
    }
}
