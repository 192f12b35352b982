import Glibc

/// A second in the proleptic Gregorian calendar (gmtime_r(3), localtime_r(3)), to be written as text.
package struct CalendarTime {
    private let parts: tm

    /// - Parameters:
    ///   - secondsSinceEpoch: since 1970-01-01T00:00:00Z; any that a `Timestamp` holds.
    ///   - isLocal: in the zone of this process instead of UTC.
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

    /// Returns the instant at which clocks in the zone of this process show what clocks in UTC show at another instant.
    /// A clock time that a change of the clocks skips or repeats is read as mktime(3) reads it.
    ///
    /// - Parameter seconds: since 1970-01-01T00:00:00Z.
    /// - Returns: `nil` where the calendar cannot hold it.
    package static func secondsSinceEpoch(ofLocalClock seconds: Int64) -> Int64? {
        var parts = CalendarTime(secondsSinceEpoch: seconds).parts
        parts.tm_isdst = -1
        // mktime(3) sets it; -1 is also the last second of 1969.
        parts.tm_wday = -1
        let instant = mktime(&parts)
        return parts.tm_wday < 0 ? nil : Int64(instant)
    }

    /// How far the zone is ahead of UTC.
    package var offsetSeconds: Int {
        parts.tm_gmtoff
    }

    /// The month, counted through all years.
    package var month: Int64 {
        Int64(parts.tm_year) * 12 + Int64(parts.tm_mon)
    }

    /// Date and clock without a zone, as ISO 8601 has them: `2026-11-21T03:54:01`, or `20261121T035401` in the basic
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
    /// A number with leading zeros; the minus sign of a negative one comes before them.
    package mutating func appendInterpolation(_ number: some SignedInteger, width: Int) {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: Swift.max(0, width - digits.count))
        appendLiteral((number < 0 ? "-" : "") + zeros + digits)
    }
}

extension Int64 {
    /// Rounds down, also below zero: times before 1970 are.
    ///
    /// - Parameter divisor: above 0.
    package func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
