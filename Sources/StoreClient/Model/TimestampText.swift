/// RFC 3339 text, always in UTC and always with six decimals: `2026-11-21T03:54:01.000250Z`.
extension Timestamp: CustomStringConvertible {
    /// RFC 3339 text in UTC with six decimals: `2026-11-21T03:54:01.000250Z`.
    public var description: String {
        let (seconds, microsecond) = microseconds.flooredQuotientAndRemainder(dividingBy: 1_000_000)
        let (days, secondOfDay) = seconds.flooredQuotientAndRemainder(dividingBy: 86_400)
        let date = CivilDate(daysSinceEpoch: days)
        let clock =
            "\(secondOfDay / 3_600, width: 2):\(secondOfDay / 60 % 60, width: 2):\(secondOfDay % 60, width: 2)"
        let day = "\(date.year, width: 4)-\(date.month, width: 2)-\(date.day, width: 2)"
        return "\(day)T\(clock).\(microsecond, width: 6)Z"
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
            let date = CivilDate(year: year, month: month, day: day),
            hour < 24, minute < 60, second < 60
        else {
            return nil
        }
        let seconds = date.daysSinceEpoch * 86_400 + hour * 3_600 + (minute - offsetMinutes) * 60 + second
        self.init(microseconds: seconds * 1_000_000 + microsecond)
    }
}

/// A date of the proleptic Gregorian calendar, counted in eras of 400 years that start on 1 March.
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
/// https://howardhinnant.github.io/date_algorithms.html
private struct CivilDate {
    let year: Int64
    let month: Int64
    let day: Int64

    private static let daysPerEra: Int64 = 146_097
    /// Days from 0000-03-01 to 1970-01-01.
    private static let daysToEpoch: Int64 = 719_468

    init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), day >= 1, day <= Self.dayCount(ofMonth: month, year: year) else {
            return nil
        }
        self.year = year
        self.month = month
        self.day = day
    }

    init(daysSinceEpoch: Int64) {
        let (era, dayOfEra) = (daysSinceEpoch + Self.daysToEpoch)
            .flooredQuotientAndRemainder(dividingBy: Self.daysPerEra)
        let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSinceEpoch: Int64 {
        let (era, yearOfEra) = (year - (month <= 2 ? 1 : 0)).flooredQuotientAndRemainder(dividingBy: 400)
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.daysToEpoch
    }

    private static func dayCount(ofMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
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
        guard position < bytes.count else {
            return nil
        }
        position += 1
        return bytes[position - 1]
    }

    mutating func digits(_ count: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<count {
            guard let byte = next(), (48...57).contains(byte) else {
                return nil
            }
            value = value * 10 + Int64(byte - 48)
        }
        return value
    }

    mutating func skip(_ choices: Character...) -> Bool {
        guard let byte = next() else {
            return false
        }
        return choices.contains { $0.asciiValue == byte }
    }

    /// Microseconds of an optional fraction: 0 when there is none, `nil` when it has no or more than nine digits.
    mutating func decimals() -> Int64? {
        guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else {
            return 0
        }
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
        guard (1...9).contains(count) else {
            return nil
        }
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
        guard let hours = digits(2), skip(":"), let minutes = digits(2), hours < 24, minutes < 60 else {
            return nil
        }
        return hours * 60 + minutes
    }
}

extension Int64 {
    /// Division that rounds down, so that the remainder is never negative (instants before 1970).
    fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension DefaultStringInterpolation {
    /// A number with leading zeros; the minus sign of a negative one comes before them.
    fileprivate mutating func appendInterpolation(_ number: Int64, width: Int) {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: Swift.max(0, width - digits.count))
        appendLiteral((number < 0 ? "-" : "") + zeros + digits)
    }
}
