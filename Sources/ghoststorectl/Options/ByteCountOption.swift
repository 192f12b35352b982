import ArgumentParser

/// A size on the command line: a number of bytes, or a number and a unit.
struct ByteCountOption: ExpressibleByArgument {
    static let help = "bytes, or with a unit: 64KiB, 1MiB, 2GiB (powers of 1,024), 1MB (powers of 1,000)"

    private static let units: [String: UInt64] = [
        "": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30, "gib": 1 << 30,
        "t": 1 << 40, "tib": 1 << 40, "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
    ]

    let bytes: UInt64

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        let unit = argument.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        guard let count = UInt64(digits), let factor = Self.units[unit] else { return nil }
        let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: factor)
        guard !isTooLarge else { return nil }
        self.bytes = bytes
    }
}
