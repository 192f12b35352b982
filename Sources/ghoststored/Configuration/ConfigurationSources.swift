internal import Configuration

/// The four places a value comes from, in rising order: defaults, file, environment, flags.
enum ConfigurationSources {
    /// Separates the items of a list in an environment variable; rules hold commas themselves.
    static let environmentListSeparator: Character = ";"

    /// - Throws: `DaemonError` naming the source of a wrong value.
    static func reader(
        file: [String: SettingValue], environment: [String: String], flags: [String: SettingValue]
    ) throws(DaemonError) -> ConfigReader {
        let variables = EnvironmentVariablesProvider(
            environmentVariables: environment, arraySeparator: environmentListSeparator)
        for setting in Settings.all {
            try check(setting, in: variables)
            if let value = flags[setting.key], let problem = setting.problem(with: value) {
                throw DaemonError(.usage, "command line: \(problem)")
            }
        }
        let defaults = Dictionary(uniqueKeysWithValues: Settings.all.map { ($0.key, $0.defaultValue) })
        return ConfigReader(providers: [
            provider("flags", flags), variables, provider("file", file), provider("defaults", defaults),
        ]).scoped(to: "ghoststore")
    }

    /// Variables that look like settings and are none, most likely mistyped. Not refused: the name space is shared with
    /// the client programs.
    static func unknownVariables(in environment: [String: String]) -> [String] {
        let known = Set(Settings.all.map(\.environmentName) + [ConfigurationFile.pathVariable])
        return environment.keys.filter { $0.hasPrefix("GHOSTSTORE_") && !known.contains($0) }.sorted()
    }

    private static func check(_ setting: Setting, in variables: EnvironmentVariablesProvider) throws(DaemonError) {
        let found: ConfigValue?
        do {
            found = try variables.value(forKey: setting.absoluteKey, type: setting.configType).value
        } catch {
            throw .configuration("environment variable \(setting.environmentName): it is not \(setting.expectation)")
        }
        guard let found, let value = SettingValue(found.content) else { return }
        if let problem = setting.problem(with: value) {
            throw .configuration("environment variable \(setting.environmentName): \(problem)")
        }
    }

    private static func provider(_ name: String, _ values: [String: SettingValue]) -> InMemoryProvider {
        var content: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in values {
            guard let setting = Settings.byKey[key] else { preconditionFailure("values belong to settings") }
            content[setting.absoluteKey] = value.configValue
        }
        return InMemoryProvider(name: name, values: content)
    }
}
