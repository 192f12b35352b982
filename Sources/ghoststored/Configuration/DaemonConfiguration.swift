import Configuration
import Logging
import StoreServer

/// The configuration in force, typed.
struct DaemonConfiguration: Sendable, Hashable {
    let stateDirectory: String
    let socketPath: String
    /// Name or number of the group whose members may connect; `nil` for everyone.
    let connectGroup: String?
    /// Name or number of the group whose members may use every area; `nil` for none.
    let trustedGroup: String?
    let keyFile: String?
    let createsStore: Bool
    /// Seconds without requests after which the store is locked; `nil` for never.
    let autoLockSeconds: Int?
    let requiresLockedMemory: Bool
    let allowsLowCostKeys: Bool
    let logLevel: Logger.Level
    let accessRules: [String]
    let server: ServerConfiguration
    /// Every value by key, as it came out of all sources.
    let values: [String: SettingValue]

    /// What was given on the command line beside the settings.
    struct Request: Sendable {
        var configurationPath: String?
        var flags: [String: SettingValue] = [:]
        var environment: [String: String] = [:]
    }

    /// Reads the file and merges all sources.
    ///
    /// - Throws: `DaemonError` with everything that is wrong in the file and in the environment, a line each.
    static func load(_ request: Request) throws(DaemonError) -> DaemonConfiguration {
        let file: [String: SettingValue]
        do throws(DaemonError) {
            file = try ConfigurationFile.read(
                path: request.configurationPath ?? request.environment[ConfigurationFile.pathVariable]
                    ?? ConfigurationFile.standardPath,
                isRequired: request.configurationPath != nil)
        } catch {
            throw .configuration([error.message] + ConfigurationSources.problems(in: request.environment))
        }
        return try merge(file: file, environment: request.environment, flags: request.flags)
    }

    static func merge(
        file: [String: SettingValue], environment: [String: String] = [:], flags: [String: SettingValue] = [:]
    ) throws(DaemonError) -> DaemonConfiguration {
        let reader = try ConfigurationSources.reader(file: file, environment: environment, flags: flags)
        do {
            return try DaemonConfiguration(reader)
        } catch let error as DaemonError {
            throw error
        } catch {
            // Every source was checked and the defaults hold every key.
            throw DaemonError(.internal, "the configuration could not be merged: \(error)")
        }
    }

    private init(_ reader: ConfigReader) throws {
        var values: [String: SettingValue] = [:]
        for setting in Settings.all {
            values[setting.key] = try setting.read(from: reader)
        }
        stateDirectory = values.text(Settings.stateDirectory)
        socketPath = values.text(Settings.socket)
        connectGroup = values.optionalText(Settings.connectGroup)
        trustedGroup = values.optionalText(Settings.trustedGroup)
        keyFile = values.optionalText(Settings.keyFile)
        createsStore = values.flag(Settings.createStore)
        let seconds = values.number(Settings.autoLockSeconds)
        autoLockSeconds = seconds == 0 ? nil : seconds
        requiresLockedMemory = values.flag(Settings.requireLockedMemory)
        allowsLowCostKeys = values.flag(Settings.allowLowCostKeys)
        logLevel = Logger.Level(rawValue: values.text(Settings.logLevel)) ?? .info
        accessRules = values.texts(Settings.accessRules)
        var server = ServerConfiguration()
        for limit in Settings.limits {
            server[keyPath: limit.field] = values.number(limit.setting)
        }
        self.server = server
        self.values = values
        let empty = [("state_directory", stateDirectory), ("socket", socketPath)].filter { $0.1.isEmpty }
        guard empty.isEmpty else { throw DaemonError.configuration(empty.map { "\($0.0) is empty" }) }
    }

    /// The rules with the users and groups of this system.
    ///
    /// - Throws: `DaemonError` with every malformed rule and every unknown user or group, a line each.
    func accessPolicy(ownUser: UInt32, accounts: AccountDirectory) throws(DaemonError) -> AccessPolicy {
        var rules: [AccessRule] = []
        var problems: [String] = []
        for text in accessRules {
            do {
                rules.append(try AccessRule(parsing: text, accounts: accounts))
            } catch {
                problems.append(DaemonError(error).message)
            }
        }
        guard problems.isEmpty else { throw .configuration(problems) }
        return AccessPolicy(
            rules: rules, ownUser: ownUser, trustedGroup: trustedGroup.flatMap { accounts.group($0) })
    }

    /// Keys whose values differ and that take effect at the next start only.
    func settingsNeedingRestart(comparedTo other: DaemonConfiguration) -> [String] {
        let reloadable = [Settings.logLevel.key, Settings.accessRules.key, Settings.trustedGroup.key]
        return Settings.all.map(\.key).filter { !reloadable.contains($0) && values[$0] != other.values[$0] }
    }
}

extension Setting {
    fileprivate func read(from reader: ConfigReader) throws -> SettingValue {
        let key = ConfigKey(key)
        return switch kind {
        case .text, .word: .text(try reader.requiredString(forKey: key))
        case .flag: .flag(try reader.requiredBool(forKey: key))
        case .number: .number(try reader.requiredInt(forKey: key))
        case .texts: .texts(try reader.requiredStringArray(forKey: key))
        }
    }
}

/// Access by setting. The type of each value was fixed when it was read.
extension [String: SettingValue] {
    fileprivate func text(_ setting: Setting) -> String {
        guard case .text(let text) = self[setting.key] else { preconditionFailure("\(setting.key) is text") }
        return text
    }

    fileprivate func optionalText(_ setting: Setting) -> String? {
        let text = text(setting)
        return text.isEmpty ? nil : text
    }

    fileprivate func flag(_ setting: Setting) -> Bool {
        guard case .flag(let flag) = self[setting.key] else { preconditionFailure("\(setting.key) is a flag") }
        return flag
    }

    fileprivate func number(_ setting: Setting) -> Int {
        guard case .number(let number) = self[setting.key] else { preconditionFailure("\(setting.key) is a number") }
        return number
    }

    fileprivate func texts(_ setting: Setting) -> [String] {
        guard case .texts(let texts) = self[setting.key] else { preconditionFailure("\(setting.key) is a list") }
        return texts
    }
}

/// The four places a value comes from, in rising order: defaults, file, environment, flags.
enum ConfigurationSources {
    /// Separates the items of a list in an environment variable; rules hold commas themselves.
    static let environmentListSeparator: Character = ";"

    /// - Throws: `DaemonError` naming the source of a wrong value.
    static func reader(
        file: [String: SettingValue], environment: [String: String], flags: [String: SettingValue]
    ) throws(DaemonError) -> ConfigReader {
        let wrong = problems(in: environment)
        guard wrong.isEmpty else { throw .configuration(wrong) }
        for setting in Settings.all {
            if let value = flags[setting.key], let problem = setting.problem(with: value) {
                throw DaemonError(.usage, "command line: \(problem)")
            }
        }
        let defaults = Dictionary(uniqueKeysWithValues: Settings.all.map { ($0.key, $0.defaultValue) })
        return ConfigReader(providers: [
            provider("flags", flags), variables(environment), provider("file", file), provider("defaults", defaults),
        ]).scoped(to: "ghoststore")
    }

    /// What is wrong with the values of settings in the environment.
    static func problems(in environment: [String: String]) -> [String] {
        let variables = variables(environment)
        return Settings.all.compactMap { setting in
            problem(with: setting, in: variables).map { "environment variable \(setting.environmentName): \($0)" }
        }
    }

    /// Without those that tell client programs something: where they look for a daemon says nothing about where this
    /// one shall be.
    private static func variables(_ environment: [String: String]) -> EnvironmentVariablesProvider {
        EnvironmentVariablesProvider(
            environmentVariables: environment.filter { !Settings.clientVariables.contains($0.key) },
            arraySeparator: environmentListSeparator)
    }

    /// Variables that look like settings and are none, most likely mistyped. Not refused: the name space is shared with
    /// the client programs.
    static func unknownVariables(in environment: [String: String]) -> [String] {
        let known = Settings.clientVariables.union(Settings.all.map(\.environmentName))
            .union([ConfigurationFile.pathVariable])
        return environment.keys.filter { $0.hasPrefix("GHOSTSTORE_") && !known.contains($0) }.sorted()
    }

    private static func problem(with setting: Setting, in variables: EnvironmentVariablesProvider) -> String? {
        let found: ConfigValue?
        do {
            found = try variables.value(forKey: setting.absoluteKey, type: setting.configType).value
        } catch {
            return "it is not \(setting.expectation)"
        }
        return found.flatMap { SettingValue($0.content) }.flatMap { setting.problem(with: $0) }
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
