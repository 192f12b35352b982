/// Numbers as people read them, without a locale.
enum Numbers {
    /// `12,345`, rounded.
    static func grouped(_ value: Double) -> String {
        let digits = String(Int(value.rounded()))
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3), digits.first != "-" || index > 1 {
                result.append(",")
            }
            result.append(digit)
        }
        return result
    }

    /// `1.23`.
    static func fixed(_ value: Double, decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals {
            scale *= 10
        }
        let scaled = Int((abs(value) * scale).rounded())
        let whole = scaled / Int(scale)
        guard decimals > 0 else {
            return (value < 0 ? "-" : "") + String(whole)
        }
        let fraction = String(scaled % Int(scale))
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return (value < 0 ? "-" : "") + "\(whole).\(zeros)\(fraction)"
    }

    /// Three digits or so: `8.12`, `81.2`, `8,123`.
    static func plain(_ value: Double) -> String {
        switch abs(value) {
        case ..<10: fixed(value, decimals: 2)
        case ..<100: fixed(value, decimals: 1)
        default: grouped(value)
        }
    }
}
