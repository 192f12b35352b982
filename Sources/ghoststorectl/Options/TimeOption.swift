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
        guard let sign = text.first, sign == "-" || sign == "+", let unit = text.last,
            let count = Int64(text.dropFirst().dropLast()), count >= 0,
            let seconds = (["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800] as [Character: Int64])[unit]
        else { return nil }
        let (microseconds, isTooLarge) = count.multipliedReportingOverflow(by: seconds * 1_000_000)
        guard !isTooLarge else { return nil }
        return sign == "-" ? -microseconds : microseconds
    }
}
