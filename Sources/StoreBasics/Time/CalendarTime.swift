import Glibc

/// A second in the proleptic Gregorian calendar (gmtime_r(3), localtime_r(3)), for formatting as text.
package struct CalendarTime {
    private let parts: tm

    /// - Parameters:
    ///   - secondsSinceEpoch: the time since 1970-01-01T00:00:00Z; any time of a `Timestamp` is valid.
    ///   - isLocal: true for the time zone of this process, false for UTC.
    package init(secondsSinceEpoch: Int64, isLocal: Bool = false) {
        var seconds = time_t(secondsSinceEpoch)
        var parts = tm()
        if isLocal {
            localtime_r(&seconds, &parts)
        } else {
            gmtime_r(&seconds, &parts)
        }
        self.parts = parts
    }

    /// Converts local clock time to an instant. A clock time that a change of the clocks skips or repeats is
    /// interpreted as in mktime(3).
    ///
    /// - Parameter seconds: the local clock time, as seconds since 1970-01-01T00:00:00 of the same clock.
    /// - Returns: `nil` if the calendar cannot represent it.
    package static func secondsSinceEpoch(ofLocalClock seconds: Int64) -> Int64? {
        var parts = CalendarTime(secondsSinceEpoch: seconds).parts
        parts.tm_isdst = -1
        // If mktime(3) succeeds, it sets this field. The result of mktime does not show an error, because -1 is also
        // the last second of 1969.
        parts.tm_wday = -1
        let instant = mktime(&parts)
        return parts.tm_wday < 0 ? nil : Int64(instant)
    }

    /// The seconds that the zone is ahead of UTC.
    package var offsetSeconds: Int {
        parts.tm_gmtoff
    }

    /// The number of the month, counted through all years.
    package var month: Int64 {
        Int64(parts.tm_year) * 12 + Int64(parts.tm_mon)
    }

    /// Returns date and time without a zone in ISO 8601: `2026-11-21T03:54:01`, or `20261121T035401` in the basic
    /// format.
    package func text(isBasic: Bool = false, separator: Character = "T") -> String {
        let (dash, colon) = isBasic ? ("", "") : ("-", ":")
        let day =
            "\(parts.tm_year + 1_900, width: 4)\(dash)\(parts.tm_mon + 1, width: 2)\(dash)\(parts.tm_mday, width: 2)"
        let clock = "\(parts.tm_hour, width: 2)\(colon)\(parts.tm_min, width: 2)\(colon)\(parts.tm_sec, width: 2)"
        return "\(day)\(separator)\(clock)"
    }
}

extension DefaultStringInterpolation {
    /// Appends a number with leading zeros. The sign of a negative number comes before the zeros.
    package mutating func appendInterpolation(_ number: some SignedInteger, width: Int) {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: Swift.max(0, width - digits.count))
        appendLiteral((number < 0 ? "-" : "") + zeros + digits)
    }
}

extension Int64 {
    /// Divides and rounds down, also for negative numbers, such as times before 1970.
    ///
    /// - Parameter divisor: above 0.
    package func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
