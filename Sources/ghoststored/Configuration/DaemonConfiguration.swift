import Glibc
import Logging
import StoreEngine
import StoreServer

/// The configuration in force with typed values.
struct DaemonConfiguration: Sendable, Hashable {
    let stateDirectory: String
    let socketPath: String
    /// The name or number of the group whose members may connect; `nil` for everyone.
    let connectGroup: String?
    /// The name or number of the group whose members may use every area; `nil` for none.
    let trustedGroup: String?
    let keyFile: String?
    let createsStore: Bool
    /// The seconds without requests after which the store is locked; `nil` for never.
    let autoLockSeconds: Int?
    /// The most bytes of evictable attachment contents; 0 for no limit.
    let attachmentCacheBytesMax: UInt64
    let fileQuotas: FileQuotas
    let requiresLockedMemory: Bool
    let allowsLowCostKeys: Bool
    let logLevel: Logger.Level
    /// The access rules, resolved to the users and groups of this system.
    let policy: AccessPolicy
    let server: ServerConfiguration
    /// All merged values by key.
    let values: [String: SettingValue]

    /// The parts of the command line and of the environment that determine the configuration.
    struct Request: Sendable {
        var configurationPath: String?
        var flags: [String: SettingValue] = [:]
        var environment: [String: String] = [:]
    }

    /// Reads the file and merges all sources. Looks up accounts, which may block.
    ///
    /// - Throws: `DaemonError` with all errors of the file and of the environment, one per line; or with the errors of
    ///   the command line.
    static func load(_ request: Request) throws(DaemonError) -> DaemonConfiguration {
        let file = ConfigurationFile(
            reading: request.configurationPath ?? request.environment[ConfigurationFile.pathVariable]
                ?? ConfigurationFile.standardPath,
            isRequired: request.configurationPath != nil)
        return try DaemonConfiguration(
            ConfigurationSources(file: file, environment: request.environment, flags: request.flags),
            ownUser: geteuid(), accounts: .system)
    }

    /// - Throws: `DaemonError` in the same cases as `load`.
    init(
        _ sources: ConfigurationSources, ownUser: UInt32, accounts: AccountDirectory
    ) throws(DaemonError) {
        let problemsOfFlags = sources.problemsOfFlags
        guard problemsOfFlags.isEmpty else { throw DaemonError(.usage, problemsOfFlags) }
        let values = try sources.merged()
        var problems = sources.problems
        let trustedGroup = values.optionalText(Settings.trustedGroup)
        policy = AccessPolicy(
            rules: Self.rules(values, sources, accounts, &problems), ownUser: ownUser,
            trustedGroup: trustedGroup.flatMap { accounts.group($0) })
        guard problems.isEmpty else { throw DaemonError(.configuration, problems) }
        stateDirectory = values.text(Settings.stateDirectory)
        socketPath = values.text(Settings.socket)
        connectGroup = values.optionalText(Settings.connectGroup)
        self.trustedGroup = trustedGroup
        keyFile = values.optionalText(Settings.keyFile)
        createsStore = values.flag(Settings.createStore)
        let seconds = values.number(Settings.autoLockSeconds)
        autoLockSeconds = seconds == 0 ? nil : seconds
        attachmentCacheBytesMax = UInt64(values.number(Settings.attachmentCacheBytes))
        fileQuotas = FileQuotas(
            cacheBytesMax: UInt64(values.number(Settings.fileCacheBytes)),
            temporaryBytesMax: UInt64(values.number(Settings.fileTemporaryBytes)))
        requiresLockedMemory = values.flag(Settings.requireLockedMemory)
        allowsLowCostKeys = values.flag(Settings.allowLowCostKeys)
        logLevel = Logger.Level(rawValue: values.text(Settings.logLevel)) ?? .info
        var server = ServerConfiguration()
        for limit in Settings.limits {
            server[keyPath: limit.field] = values.number(limit.setting)
        }
        self.server = server
        self.values = values
    }

    /// - Parameter problems: the errors of invalid rules are appended, each with its location.
    private static func rules(
        _ values: [String: SettingValue], _ sources: ConfigurationSources, _ accounts: AccountDirectory,
        _ problems: inout [ConfigurationProblem]
    ) -> [AccessRule] {
        var rules: [AccessRule] = []
        for (index, text) in values.texts(Settings.accessRules).enumerated() {
            do throws(ServerError) {
                rules.append(try AccessRule(parsing: text, accounts: accounts))
            } catch {
                let place = sources.place(of: Settings.accessRules, item: index)
                problems.append(ConfigurationProblem(place, error.message))
            }
        }
        return rules
    }

    /// Returns the keys whose values differ and take effect only at the next start.
    func settingsNeedingRestart(comparedTo other: DaemonConfiguration) -> [String] {
        let reloadable = [Settings.logLevel.key, Settings.accessRules.key, Settings.trustedGroup.key]
        return Settings.all.map(\.key).filter { !reloadable.contains($0) && values[$0] != other.values[$0] }
    }
}

/// Access to values by setting. The type of each value was checked when it was read.
extension [String: SettingValue] {
    fileprivate func text(_ setting: Setting) -> String {
        guard case .text(let text) = self[setting.key] else { preconditionFailure("\(setting.key) is not text") }
        return text
    }

    fileprivate func optionalText(_ setting: Setting) -> String? {
        let text = text(setting)
        return text.isEmpty ? nil : text
    }

    fileprivate func flag(_ setting: Setting) -> Bool {
        guard case .flag(let flag) = self[setting.key] else { preconditionFailure("\(setting.key) is not a flag") }
        return flag
    }

    fileprivate func number(_ setting: Setting) -> Int {
        guard case .number(let number) = self[setting.key] else {
            preconditionFailure("\(setting.key) is not a number")
        }
        return number
    }

    fileprivate func texts(_ setting: Setting) -> [String] {
        guard case .texts(let texts) = self[setting.key] else { preconditionFailure("\(setting.key) is not a list") }
        return texts
    }
}
