import YAMLReading

/// The values of a configuration file, checked against the known settings.
struct ConfigurationFile: Sendable {
    /// The path that is used if neither the command line nor the environment contains one. The file may be absent.
    static let standardPath = "/etc/ghoststore/ghoststored.yaml"
    /// The environment variable whose value replaces `standardPath`. It is ignored if the command line contains a path.
    /// The file at its path may be absent, too.
    static let pathVariable = "GHOSTSTORE_CONFIG"
    let path: String
    /// The valid values.
    private(set) var values: [String: SettingValue] = [:]
    /// The errors in the file, such as invalid values and unknown keys.
    private(set) var problems: [ConfigurationProblem] = []
    /// The line of each value, by key; for a list, the lines of its items.
    private var lines: [String: [Int]] = [:]

    /// Creates the value for a file that contains no keys.
    init(path: String) {
        self.path = path
    }

    /// Parses the bytes of a file. The errors are added to `problems`, and all valid values are kept.
    init(_ bytes: [UInt8], path: String) {
        self.path = path
        let document = YAMLEntries(bytes)
        problems = document.problems.map { ConfigurationProblem(.file(path: path, line: $0.line), $0.cause) }
        for entry in document.entries {
            switch Self.value(of: entry) {
            case .success(let value):
                values[entry.key] = value
                lines[entry.key] = entry.lines
            case .failure(let problem):
                problems.append(ConfigurationProblem(.file(path: path, line: entry.line), problem.cause))
            }
        }
    }

    /// - Parameter isRequired: False to treat a missing file as an empty one.
    init(reading path: String, isRequired: Bool) {
        do throws(YAMLFile.Problem) {
            guard let bytes = try YAMLFile.read(path, isRequired: isRequired, ownedBy: "the daemon's user") else {
                self.init(path: path)
                return
            }
            self.init(bytes, path: path)
        } catch {
            self.init(path: path)
            problems = [ConfigurationProblem(.file(path: path, line: nil), error.cause)]
        }
    }

    /// Returns the location of a value in the file.
    ///
    /// - Parameter item: the index of the item in a list.
    func place(of setting: Setting, item: Int = 0) -> ConfigurationProblem.Place {
        let lines = lines[setting.key] ?? []
        return .file(path: path, line: item < lines.count ? lines[item] : 1)
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

    private static func hint(for key: String) -> String {
        let last = key.split(separator: ".").last
        let similar = Settings.all.map(\.key).filter { $0.split(separator: ".").last == last && $0 != key }
        return similar.first.map { "; did you mean '\($0)'?" } ?? ": ghoststored.yaml(5) lists all settings"
    }
}

extension YAMLEntry {
    fileprivate var lines: [Int] {
        switch value {
        case .scalar: [line]
        case .list(let items): items.map(\.line)
        }
    }
}

extension Setting {
    /// Returns the typed value; `nil` if it has another type. Quoted scalars are always text.
    fileprivate func value(from value: YAMLEntry.Value) -> SettingValue? {
        switch (kind, value) {
        case (.text, .scalar(let text, let isPlain)), (.path, .scalar(let text, let isPlain)),
            (.word, .scalar(let text, let isPlain)):
            isPlain && ["", "~", "null"].contains(text) ? nil : .text(text)
        case (.flag, .scalar("true", isPlain: true)): .flag(true)
        case (.flag, .scalar("false", isPlain: true)): .flag(false)
        case (.number, .scalar(let text, isPlain: true)):
            text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? Int(text).map { .number($0) } : nil
        case (.texts, .list(let items)): .texts(items.map(\.text))
        case (.flag, _), (.number, _), (.texts, _), (.text, .list), (.path, .list), (.word, .list): nil
        }
    }

    var expectation: String {
        switch kind {
        case .text: "text (write \"\" for none)"
        case .path(let path): path.expectation
        case .word(let words): "one of \(words.joined(separator: ", "))"
        case .flag: "true or false"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .texts: "a list (write [] for none)"
        }
    }
}
