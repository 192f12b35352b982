extension DefaultStringInterpolation {
    /// Appends a number with leading zeros.
    mutating func appendInterpolation(_ number: some UnsignedInteger, width: Int, radix: Int = 10) {
        let digits = String(number, radix: radix)
        appendLiteral(String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits)
    }
}

/// Formats numbers for people.
enum Quantity {
    /// Returns a size: `12.3 MiB`, in powers of 1,024.
    static func bytes(_ count: UInt64) -> String {
        guard count >= 1_024 else { return "\(count) B" }
        var value = Double(count) / 1_024
        var unit = 0
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        while value >= 1_024, unit < units.count - 1 {
            value /= 1_024
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// Returns a duration with its two largest units: `3 d 4 h`, `5 min 6 s`.
    static func duration(milliseconds: UInt64) -> String {
        let seconds = milliseconds / 1_000
        if seconds < 60 {
            return "\(seconds) s"
        }
        if seconds < 3_600 {
            return "\(seconds / 60) min \(seconds % 60) s"
        }
        if seconds < 86_400 {
            return "\(seconds / 3_600) h \(seconds / 60 % 60) min"
        }
        return "\(seconds / 86_400) d \(seconds / 3_600 % 24) h"
    }

    /// Returns a number with its noun: `1 message`, `2 messages`.
    static func count(_ number: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}
