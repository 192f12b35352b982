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
    static func load(_ request: Request) throws(DaemonError) -> DaemonConfiguration {
        let file = try ConfigurationFile.read(
            path: request.configurationPath ?? request.environment[ConfigurationFile.pathVariable]
                ?? ConfigurationFile.standardPath,
            isRequired: request.configurationPath != nil)
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
        guard !stateDirectory.isEmpty else { throw DaemonError.configuration("state_directory is empty") }
        guard !socketPath.isEmpty else { throw DaemonError.configuration("socket is empty") }
    }

    /// The rules with the users and groups of this system.
    ///
    /// - Throws: `DaemonError` for a malformed rule or an unknown user or group.
    func accessPolicy(ownUser: UInt32, accounts: AccountDirectory) throws(DaemonError) -> AccessPolicy {
        var rules: [AccessRule] = []
        do {
            for text in accessRules {
                rules.append(try AccessRule(parsing: text, accounts: accounts))
            }
        } catch {
            throw DaemonError(error)
        }
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
