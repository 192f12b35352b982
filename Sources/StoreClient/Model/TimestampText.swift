import Glibc
import StoreBasics

extension Timestamp: CustomStringConvertible {
    /// The instant as RFC 3339 text in UTC with six decimals: `2026-11-21T03:54:01.000250Z`.
    public var description: String {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // Rounded down, so that the microseconds of instants before 1970 are not negative.
        let time = CalendarTime(secondsSinceEpoch: rest < 0 ? whole - 1 : whole)
        return "\(time.text()).\(rest < 0 ? rest + 1_000_000 : rest, width: 6)Z"
    }

    /// Reads RFC 3339 text of the years 0000 to 9999: `T` or a space between date and time, up to nine decimals
    /// (decimals after the sixth are cut), `Z` or an offset of hours and minutes.
    ///
    /// - Returns: `nil` if the text has another form, or if the date does not exist.
    public init?(rfc3339 text: some StringProtocol) {
        var reader = TimeReader(rest: Array(text.utf8)[...])
        guard let year = reader.number(4, then: "-"), let month = reader.number(2, then: "-"),
            let day = reader.number(2, then: "Tt "),
            let hour = reader.number(2, then: ":"), let minute = reader.number(2, then: ":"),
            let second = reader.number(2), let microsecond = reader.microseconds(),
            let offsetMinutes = reader.offsetMinutes(), reader.rest.isEmpty,
            hour < 24, minute < 60, second < 60
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year) - 1_900, Int32(month) - 1, Int32(day))
        let midnight = Int64(timegm(&parts))
        // timegm(3) converts a date that does not exist to another date. Reject such a date.
        guard parts.tm_mon == Int32(month) - 1, parts.tm_mday == Int32(day) else { return nil }
        let seconds = midnight + hour * 3_600 + (minute - offsetMinutes) * 60 + second
        self.init(microseconds: seconds * 1_000_000 + microsecond)
    }
}

/// Reads the parts of a time from the beginning of a text. Each method returns `nil` if the part is missing.
private struct TimeReader {
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    var rest: ArraySlice<UInt8>

    /// Reads a number with exactly `digitCount` digits.
    ///
    /// - Parameter separators: The bytes of which one must follow the digits; empty if none needs to.
    mutating func number(_ digitCount: Int, then separators: String = "") -> Int64? {
        let digits = rest.prefix { Self.digits.contains($0) }.prefix(digitCount)
        guard digits.count == digitCount else { return nil }
        rest = rest.dropFirst(digitCount)
        if !separators.isEmpty {
            guard let next = rest.popFirst(), separators.utf8.contains(next) else { return nil }
        }
        return Self.value(of: digits)
    }

    /// Returns the microseconds of an optional fraction of one to nine digits; 0 without a fraction.
    mutating func microseconds() -> Int64? {
        guard rest.first == UInt8(ascii: ".") else { return 0 }
        let digits = rest.dropFirst().prefix { Self.digits.contains($0) }
        rest = rest.dropFirst(1 + digits.count)
        return 1...9 ~= digits.count ? Self.value(of: (digits + Array("00000".utf8)).prefix(6)) : nil
    }

    mutating func offsetMinutes() -> Int64? {
        guard let sign = rest.popFirst() else { return nil }
        guard !"Zz".utf8.contains(sign) else { return 0 }
        guard "+-".utf8.contains(sign), let hours = number(2, then: ":"), let minutes = number(2),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func value(of digits: ArraySlice<UInt8>) -> Int64 {
        digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
}
