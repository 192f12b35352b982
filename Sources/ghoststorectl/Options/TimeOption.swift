import ArgumentParser
import StoreBasics
import StoreClient

/// A time on the command line, in one of the forms of `TimeText`.
struct TimeOption: ExpressibleByArgument {
    static let help =
        "2026-11-21T03:54:01Z, 2026-11-21 03:54 (local time unless a zone is given), 2026-11-21, today, yesterday, "
        + "now, -90s, -15m, -1h, -2days, @1795233241 (seconds since 1970) or @1795233241000000us (microseconds)"

    let timestamp: Timestamp

    init?(argument: String) {
        guard let timestamp = TimeText.timestamp(argument) else { return nil }
        self.timestamp = timestamp
    }
}
