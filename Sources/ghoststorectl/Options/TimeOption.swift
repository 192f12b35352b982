import ArgumentParser
import StoreClient

/// A time on the command line: RFC 3339, a day in UTC, `@` and microseconds since 1970, or how long ago.
struct TimeOption: ExpressibleByArgument {
    static let help = "2026-11-21T03:54:01Z, 2026-11-21 (UTC), -90s, -15m, -1h, -7d, now, or @ and microseconds"

    let timestamp: Timestamp

    init?(argument: String) {
        if argument.hasPrefix("@") {
            guard let microseconds = Int64(argument.dropFirst()) else { return nil }
            timestamp = Timestamp(microseconds: microseconds)
        } else if let offset = Self.offsetMicroseconds(argument) {
            timestamp = Timestamp.now.advanced(byMicroseconds: offset)
        } else if let timestamp = Timestamp(rfc3339: argument) ?? Timestamp(rfc3339: argument + "T00:00:00Z") {
            self.timestamp = timestamp
        } else {
            return nil
        }
    }

    /// From now: of `-1h` an hour back. `nil` for what is no such text.
    private static func offsetMicroseconds(_ text: String) -> Int64? {
        guard text != "now" else { return 0 }
        guard let sign = text.first, sign == "-" || sign == "+",
            let milliseconds = TimeSpan.milliseconds(text.dropFirst())
        else { return nil }
        let (microseconds, isTooLarge) = milliseconds.multipliedReportingOverflow(by: 1_000)
        guard !isTooLarge else { return nil }
        return sign == "-" ? -microseconds : microseconds
    }
}

/// A length of time on the command line: a whole number and its unit.
enum TimeSpan {
    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]

    /// At least 0; `nil` for what is no such text, and for what 64 bits cannot hold.
    static func milliseconds(_ text: some StringProtocol) -> Int64? {
        guard let unit = text.last.flatMap({ units[$0] }), let first = text.first, first.isNumber,
            let count = Int64(text.dropLast())
        else { return nil }
        let (milliseconds, isTooLarge) = count.multipliedReportingOverflow(by: unit * 1_000)
        return isTooLarge ? nil : milliseconds
    }
}
