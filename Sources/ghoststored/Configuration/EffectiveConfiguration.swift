import StoreBasics

/// The configuration in force in the form of a configuration file. The daemon reads the same values from that file.
enum EffectiveConfiguration {
    static func text(_ values: [String: SettingValue]) -> String {
        var lines: [String] = []
        var section: Substring?
        for setting in Settings.all {
            guard let value = values[setting.key] else { continue }
            let parts = setting.key.split(separator: ".", maxSplits: 1)
            let isNested = parts.count == 2
            if isNested && section != parts[0] {
                lines.append("\(parts[0]):")
            }
            section = isNested ? parts[0] : nil
            let indentation = isNested ? "  " : ""
            lines += self.lines(name: parts[parts.count - 1], value).map { indentation + $0 }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(name: Substring, _ value: SettingValue) -> [String] {
        switch value {
        case .text(let text): ["\(name): \(quoted(text))"]
        case .flag(let flag): ["\(name): \(flag)"]
        case .number(let number): ["\(name): \(number)"]
        case .texts(let texts) where texts.isEmpty: ["\(name): []"]
        case .texts(let texts): ["\(name):"] + texts.map { "  - \(quoted($0))" }
        }
    }

    /// Returns a double-quoted scalar (YAML 1.1, 5.1 and 5.7). Backslashes, quotes, line breaks and unprintable
    /// characters are escaped.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C: result += "\\\(scalar)"
            case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xFEFE, 0xFF00...0xFFFD, 0x10000...:
                result.unicodeScalars.append(scalar)
            case 0...0xFF: result += "\\x" + Hexadecimal.encode([UInt8(scalar.value)])
            default: result += "\\u" + Hexadecimal.encode([UInt8(scalar.value >> 8), UInt8(scalar.value & 0xFF)])
            }
        }
        return result + "\""
    }
}
