import Configuration

/// The four sources of values, in ascending priority: defaults, file, environment, flags.
struct ConfigurationSources: Sendable {
    /// The separator of list items in an environment variable. A comma is not possible, because rules contain commas.
    static let environmentListSeparator: Character = ";"

    let file: ConfigurationFile
    let flags: [String: SettingValue]
    /// The errors in the file and in the environment.
    let problems: [ConfigurationProblem]
    /// The variables with valid values.
    private let environment: [String: String]

    init(file: ConfigurationFile, environment: [String: String], flags: [String: SettingValue]) {
        self.file = file
        self.flags = flags
        let wrong = Self.problems(in: environment)
        problems = file.problems + wrong
        let unusable = Set(wrong.map(\.place))
        self.environment = environment.filter { !unusable.contains(.variable($0.key)) }
    }

    /// The errors of the command line.
    var problemsOfFlags: [ConfigurationProblem] {
        Settings.all.compactMap { setting in
            flags[setting.key].flatMap { setting.problem(with: $0) }.map { ConfigurationProblem(.commandLine, $0) }
        }
    }

    /// Returns a value for every key. An invalid value is ignored in favor of the source with the next lower priority.
    ///
    /// - Throws: `DaemonError` if the program itself is faulty.
    func merged() throws(DaemonError) -> [String: SettingValue] {
        let defaults = Dictionary(uniqueKeysWithValues: Settings.all.map { ($0.key, $0.defaultValue) })
        let reader = ConfigReader(providers: [
            Self.provider("flags", flags), Self.provider("empty variables", Self.emptyLists(environment)),
            Self.variables(environment), Self.provider("file", file.values), Self.provider("defaults", defaults),
        ]).scoped(to: "ghoststore")
        var values: [String: SettingValue] = [:]
        do {
            for setting in Settings.all {
                values[setting.key] = try setting.read(from: reader)
            }
        } catch {
            // This is a fault of the program: every source was checked, and the defaults contain every key.
            throw DaemonError(.internal, "the configuration could not be merged: \(error)")
        }
        return values
    }

    /// Returns where the value of a setting comes from: the variable or the line of the file. The setting must have no
    /// option on the command line.
    ///
    /// - Parameter item: the index of the item in a list.
    func place(of setting: Setting, item: Int) -> ConfigurationProblem.Place {
        let name = setting.environmentName
        return environment[name] == nil ? file.place(of: setting, item: item) : .variable(name)
    }

    /// Returns the errors of values in the environment.
    private static func problems(in environment: [String: String]) -> [ConfigurationProblem] {
        let variables = variables(environment)
        return Settings.all.compactMap { setting in
            problem(with: setting, in: variables).map {
                ConfigurationProblem(.variable(setting.environmentName), $0)
            }
        }
    }

    /// Returns a provider of the variables, without the variables of client programs, because the address at which
    /// clients look for a daemon does not configure this daemon.
    private static func variables(_ environment: [String: String]) -> EnvironmentVariablesProvider {
        EnvironmentVariablesProvider(
            environmentVariables: environment.filter { !Settings.clientVariables.contains($0.key) },
            arraySeparator: environmentListSeparator)
    }

    /// Returns an empty list for each list setting whose variable is empty. The provider of variables would return a
    /// list with one empty item.
    private static func emptyLists(_ environment: [String: String]) -> [String: SettingValue] {
        var lists: [String: SettingValue] = [:]
        for setting in Settings.all where environment[setting.environmentName] == "" {
            if case .texts = setting.kind {
                lists[setting.key] = .texts([])
            }
        }
        return lists
    }

    /// Returns variables that look like settings but are not, most likely because of a typing mistake. They are only
    /// reported, because client programs use the same prefix.
    static func unknownVariables(in environment: [String: String]) -> [String] {
        let known = Settings.clientVariables.union(Settings.all.map(\.environmentName))
            .union(Settings.controlVariables).union([ConfigurationFile.pathVariable])
        return environment.keys.filter { $0.hasPrefix("GHOSTSTORE_") && !known.contains($0) }.sorted()
    }

    private static func problem(with setting: Setting, in variables: EnvironmentVariablesProvider) -> String? {
        let found: ConfigValue?
        do {
            found = try variables.value(forKey: setting.absoluteKey, type: setting.configType).value
        } catch {
            return "the value is not \(setting.expectation)"
        }
        return found.flatMap { SettingValue($0.content) }.flatMap { setting.problem(with: $0) }
    }

    private static func provider(_ name: String, _ values: [String: SettingValue]) -> InMemoryProvider {
        var content: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in values {
            guard let setting = Settings.byKey[key] else { preconditionFailure("every value must belong to a setting") }
            content[setting.absoluteKey] = value.configValue
        }
        return InMemoryProvider(name: name, values: content)
    }
}

extension Setting {
    fileprivate func read(from reader: ConfigReader) throws -> SettingValue {
        let key = ConfigKey(key)
        return switch kind {
        case .text, .path, .word: .text(try reader.requiredString(forKey: key))
        case .flag: .flag(try reader.requiredBool(forKey: key))
        case .number: .number(try reader.requiredInt(forKey: key))
        case .texts: .texts(try reader.requiredStringArray(forKey: key))
        }
    }
}
