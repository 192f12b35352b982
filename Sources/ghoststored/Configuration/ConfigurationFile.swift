import Glibc
import StoreBasics

/// The configuration file, read and checked against the settings there are.
enum ConfigurationFile {
    /// Where it is looked for when the command line names none; there it may be absent.
    static let standardPath = "/etc/ghoststore/ghoststored.yaml"
    /// The variable with another place to look at when the command line names none; there too it may be absent.
    static let pathVariable = "GHOSTSTORE_CONFIG"
    /// Bytes of the file at most.
    static let bytesMax = 1 << 20

    /// The values of a file. An absent file is an error only when it was named.
    ///
    /// - Throws: `DaemonError` with the file and line of what is wrong.
    static func read(path: String, isRequired: Bool) throws(DaemonError) -> [String: SettingValue] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let failure = SystemError.last
            if failure.number == ENOENT && !isRequired {
                return [:]
            }
            throw .configuration("\(path): the file could not be opened: \(failure)")
        }
        defer { close(descriptor) }
        try checkOwner(of: descriptor, path: path)
        return try parse(contents(of: descriptor, path: path), path: path)
    }

    /// The values in the bytes of a file.
    ///
    /// - Throws: `DaemonError` with everything that is wrong, a line each.
    static func parse(_ bytes: [UInt8], path: String) throws(DaemonError) -> [String: SettingValue] {
        let entries: [YAMLEntry]
        do {
            entries = try YAMLEntries.read(bytes)
        } catch {
            throw .configuration("\(path):\(error.line): \(error.cause)")
        }
        var values: [String: SettingValue] = [:]
        var problems: [String] = []
        for entry in entries {
            switch value(of: entry) {
            case .success(let value): values[entry.key] = value
            case .failure(let problem): problems.append("\(path):\(entry.line): \(problem.cause)")
            }
        }
        guard problems.isEmpty else { throw .configuration(problems) }
        return values
    }

    private struct Problem: Error {
        let cause: String
    }

    private static func value(of entry: YAMLEntry) -> Result<SettingValue, Problem> {
        guard let setting = Settings.byKey[entry.key] else {
            return .failure(Problem(cause: "there is no setting '\(entry.key)'\(hint(for: entry.key))"))
        }
        guard let value = setting.value(from: entry.value) else {
            return .failure(Problem(cause: "\(setting.key) is not \(setting.expectation)"))
        }
        return setting.problem(with: value).map { .failure(Problem(cause: $0)) } ?? .success(value)
    }

    /// Whoever can write the file gives access to the store.
    private static func checkOwner(of descriptor: Int32, path: String) throws(DaemonError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .configuration("\(path): it is not a file")
        }
        guard status.st_mode & S_IWOTH == 0 else {
            throw .configuration("\(path): everyone may write to it: take that right away (chmod o-w)")
        }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw .configuration(
                "\(path): it belongs to user \(status.st_uid): it must belong to root or to the daemon's user")
        }
    }

    private static func contents(of descriptor: Int32, path: String) throws(DaemonError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: bytesMax + 1)
        let count: Int
        do {
            count = try bytes.withUnsafeMutableBytes { try FileDescriptorCalls.read(descriptor, into: $0) }
        } catch {
            throw .configuration("\(path): it could not be read: \(error)")
        }
        guard count <= bytesMax else { throw .configuration("\(path): it is larger than \(bytesMax) bytes") }
        return Array(bytes.prefix(count))
    }

    private static func hint(for key: String) -> String {
        let last = key.split(separator: ".").last
        let similar = Settings.all.map(\.key).filter { $0.split(separator: ".").last == last && $0 != key }
        return similar.first.map { "; did you mean '\($0)'?" } ?? ": config/ghoststored.yaml lists all there are"
    }
}

extension Setting {
    /// The value as the file has it; `nil` when it has another type. Quoted scalars are text and nothing else.
    fileprivate func value(from value: YAMLEntry.Value) -> SettingValue? {
        switch (kind, value) {
        case (.text, .scalar(let text, let isPlain)), (.word, .scalar(let text, let isPlain)):
            isPlain && ["", "~", "null"].contains(text) ? nil : .text(text)
        case (.flag, .scalar("true", isPlain: true)): .flag(true)
        case (.flag, .scalar("false", isPlain: true)): .flag(false)
        case (.number, .scalar(let text, isPlain: true)):
            text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? Int(text).map { .number($0) } : nil
        case (.texts, .list(let texts)): .texts(texts)
        case (.flag, _), (.number, _), (.texts, _), (.text, .list), (.word, .list): nil
        }
    }

    var expectation: String {
        switch kind {
        case .text: "text (write \"\" for none)"
        case .word(let words): "one of \(words.joined(separator: ", "))"
        case .flag: "true or false"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .texts: "a list (write [] for none)"
        }
    }
}

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

    /// A double-quoted scalar (YAML 1.1, 5.1 and 5.7): backslash, quote, and what is not printable or breaks a line,
    /// escaped.
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
