/// The configuration in force as a configuration file: reading it again gives the same values.
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

    /// A double-quoted scalar (YAML 1.1, 5.4): backslash, quote and control characters escaped.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                result += "\\x" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
