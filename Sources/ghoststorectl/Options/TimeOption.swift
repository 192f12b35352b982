import ArgumentParser
import StoreClient

/// A time on the command line: RFC 3339, a day in UTC, or `@` and microseconds since 1970.
struct TimeOption: ExpressibleByArgument {
    static let help = "2026-11-21T03:54:01Z, 2026-11-21, or @ and microseconds since 1970"

    let timestamp: Timestamp

    init?(argument: String) {
        if argument.hasPrefix("@") {
            guard let microseconds = Int64(argument.dropFirst()) else {
                return nil
            }
            timestamp = Timestamp(microseconds: microseconds)
        } else if let timestamp = Timestamp(rfc3339: argument) ?? Timestamp(rfc3339: argument + "T00:00:00Z") {
            self.timestamp = timestamp
        } else {
            return nil
        }
    }
}
