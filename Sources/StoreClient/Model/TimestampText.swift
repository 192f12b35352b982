import Glibc
import StoreBasics

/// RFC 3339 text, always in UTC and always with six decimals: `2026-11-21T03:54:01.000250Z`.
extension Timestamp: CustomStringConvertible {
    /// RFC 3339 text in UTC with six decimals: `2026-11-21T03:54:01.000250Z`.
    public var description: String {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // Division that rounds down, so that the microseconds of instants before 1970 are not negative.
        let time = CalendarTime(secondsSinceEpoch: rest < 0 ? whole - 1 : whole)
        return "\(time.text()).\(rest < 0 ? rest + 1_000_000 : rest, width: 6)Z"
    }

    /// Reads RFC 3339 text of the years 0000 to 9999: `T` or a space between date and time, up to nine decimals
    /// (those past the sixth are cut), `Z` or an offset of hours and minutes.
    /// - Returns: `nil` when the text is anything else.
    public init?(rfc3339 text: some StringProtocol) {
        var reader = DigitReader(text.utf8)
        guard
            let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2), reader.skip("-"),
            let day = reader.digits(2), reader.skip("T", "t", " "),
            let hour = reader.digits(2), reader.skip(":"), let minute = reader.digits(2), reader.skip(":"),
            let second = reader.digits(2),
            let microsecond = reader.decimals(),
            let offsetMinutes = reader.offsetMinutes(), reader.isAtEnd,
            hour < 24, minute < 60, second < 60
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year) - 1_900, Int32(month) - 1, Int32(day))
        let midnight = Int64(timegm(&parts))
        // A day that is not in the calendar has become another one.
        guard parts.tm_mon == Int32(month) - 1, parts.tm_mday == Int32(day) else { return nil }
        let seconds = midnight + hour * 3_600 + (minute - offsetMinutes) * 60 + second
        self.init(microseconds: seconds * 1_000_000 + microsecond)
    }
}

/// Takes digits and separators off the front of a text.
private struct DigitReader {
    private var bytes: [UInt8]
    private var position = 0

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    var isAtEnd: Bool {
        position == bytes.count
    }

    private mutating func next() -> UInt8? {
        guard position < bytes.count else { return nil }
        position += 1
        return bytes[position - 1]
    }

    mutating func digits(_ count: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<count {
            guard let byte = next(), (48...57).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - 48)
        }
        return value
    }

    mutating func skip(_ choices: Character...) -> Bool {
        guard let byte = next() else { return false }
        return choices.contains { $0.asciiValue == byte }
    }

    /// Microseconds of an optional fraction: 0 when there is none, `nil` when it has no or more than nine digits.
    mutating func decimals() -> Int64? {
        guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return 0 }
        position += 1
        var value: Int64 = 0
        var count = 0
        while position < bytes.count, (48...57).contains(bytes[position]) {
            if count < 6 {
                value = value * 10 + Int64(bytes[position] - 48)
            }
            count += 1
            position += 1
        }
        guard (1...9).contains(count) else { return nil }
        for _ in count..<max(count, 6) {
            value *= 10
        }
        return value
    }

    mutating func offsetMinutes() -> Int64? {
        switch next() {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            return 0
        case UInt8(ascii: "+"):
            return clockMinutes()
        case UInt8(ascii: "-"):
            return clockMinutes().map { -$0 }
        default:
            return nil
        }
    }

    private mutating func clockMinutes() -> Int64? {
        guard let hours = digits(2), skip(":"), let minutes = digits(2), hours < 24, minutes < 60 else { return nil }
        return hours * 60 + minutes
    }
}
