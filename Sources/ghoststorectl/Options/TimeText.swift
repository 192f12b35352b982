import StoreBasics
import StoreClient

/// Parses times in the forms that people, tables, GNU date and systemd use.
enum TimeText {
    private static let days = ["yesterday": -1, "today": 0, "tomorrow": 1]

    /// - Returns: `nil` for a text in none of the forms, and for an instant outside the range of `Timestamp`.
    static func timestamp(_ text: String, now: Timestamp = .now) -> Timestamp? {
        if text == "now" {
            return now
        }
        if let days = days[text] {
            return midnight(daysAfter: now, days)
        }
        if text.hasPrefix("@") {
            return sinceEpoch(text.dropFirst())
        }
        return offset(text).map(now.advanced(byMicroseconds:)) ?? calendarTime(text)
    }

    /// Returns the beginning of a day in the time zone of this process.
    private static func midnight(daysAfter now: Timestamp, _ days: Int) -> Timestamp? {
        let today = CalendarTime(secondsSinceEpoch: now.microseconds.flooredQuotient(1_000_000), isLocal: true)
        guard let midnight = Timestamp(rfc3339: today.text().prefix(10) + "T00:00:00Z") else { return nil }
        return local(midnight.advanced(byMicroseconds: Int64(days) * 86_400_000_000))
    }

    /// Parses seconds with up to six decimals, or a whole number of microseconds followed by `us`.
    private static func sinceEpoch(_ text: Substring) -> Timestamp? {
        guard !text.hasSuffix("us") else { return Int64(text.dropLast(2)).map(Timestamp.init(microseconds:)) }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let seconds = Int64(parts[0]) else { return nil }
        var microseconds: Int64 = 0
        if parts.count == 2 {
            let digits = parts[1]
            guard (1...6).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
                let fraction = Int64(digits + String(repeating: "0", count: 6 - digits.utf8.count))
            else { return nil }
            microseconds = parts[0].hasPrefix("-") ? -fraction : fraction
        }
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, isBeyond) = whole.addingReportingOverflow(microseconds)
        return isTooLarge || isBeyond ? nil : Timestamp(microseconds: sum)
    }

    /// Returns the microseconds from now: an hour back for `-1h` and for `1 hour ago`. `nil` for a text in neither
    /// form.
    private static func offset(_ text: String) -> Int64? {
        var length = text[...]
        let isBefore: Bool
        if text.hasSuffix(" ago") {
            isBefore = true
            length = text.dropLast(" ago".count)
        } else {
            guard let sign = text.first, sign == "-" || sign == "+" else { return nil }
            isBefore = sign == "-"
            length = text.dropFirst()
        }
        guard let milliseconds = TimeSpan.milliseconds(length) else { return nil }
        let (microseconds, isTooLarge) = milliseconds.multipliedReportingOverflow(by: 1_000)
        guard !isTooLarge else { return nil }
        return isBefore ? -microseconds : microseconds
    }

    /// Parses a date, alone or with a clock time to the minute, the second or a fraction of a second. Without a time
    /// zone in the text, the time zone of this process applies.
    private static func calendarTime(_ text: String) -> Timestamp? {
        let day = text.prefix(10)
        guard text.count > 10 else { return Timestamp(rfc3339: day + "T00:00:00Z").flatMap(local) }
        let rest = text.dropFirst(11)
        let zoneStart = rest.firstIndex { "Zz+-".contains($0) } ?? rest.endIndex
        let zone = rest[zoneStart...]
        var clock = rest[..<zoneStart]
        if !zone.isEmpty, clock.last == " " {
            clock = clock.dropLast()
        }
        let seconds = clock.utf8.count == "03:54".utf8.count ? ":00" : ""
        let start = text.prefix(11) + clock + seconds
        return zone.isEmpty ? Timestamp(rfc3339: start + "Z").flatMap(local) : Timestamp(rfc3339: start + zone)
    }

    /// Returns the instant whose local date and clock time are the given instant's date and clock time in UTC.
    private static func local(_ time: Timestamp) -> Timestamp? {
        let seconds = time.microseconds.flooredQuotient(1_000_000)
        let rest = time.microseconds - seconds * 1_000_000
        return CalendarTime.secondsSinceEpoch(ofLocalClock: seconds)
            .map { Timestamp(microseconds: $0 * 1_000_000 + rest) }
    }
}

/// A time span on the command line: a whole number and its unit.
enum TimeSpan {
    /// The seconds of each unit, with the unit names of systemd.time(7).
    private static let units: [String: Int64] = [
        "s": 1, "sec": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "minute": 60, "minutes": 60,
        "h": 3_600, "hr": 3_600, "hour": 3_600, "hours": 3_600, "d": 86_400, "day": 86_400, "days": 86_400,
        "w": 604_800, "week": 604_800, "weeks": 604_800,
    ]

    /// Returns the time span, at least 0; `nil` for a text of another form and for a span that 64 bits cannot hold.
    static func milliseconds(_ text: some StringProtocol) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let count = Int64(digits), let seconds = units[String(unit)] else { return nil }
        let (milliseconds, isTooLarge) = count.multipliedReportingOverflow(by: seconds * 1_000)
        return isTooLarge ? nil : milliseconds
    }
}
