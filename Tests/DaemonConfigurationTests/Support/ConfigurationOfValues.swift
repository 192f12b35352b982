@testable import StoreServer
@testable import ghoststored

extension ConfigurationFile {
    /// - Throws: the same error as the daemon for an invalid file.
    static func values(_ text: String, path: String = "test.yaml") throws(DaemonError) -> [String: SettingValue] {
        try values(Array(text.utf8), path: path)
    }

    static func values(_ bytes: [UInt8], path: String) throws(DaemonError) -> [String: SettingValue] {
        let file = ConfigurationFile(bytes, path: path)
        guard file.problems.isEmpty else { throw DaemonError(.configuration, file.problems) }
        return file.values
    }
}

extension DaemonConfiguration {
    /// Merges `values`, as if a configuration file contained nothing else, with the environment and the flags.
    static func merge(
        file values: [String: SettingValue], environment: [String: String] = [:], flags: [String: SettingValue] = [:],
        accounts: AccountDirectory = .system
    ) throws(DaemonError) -> DaemonConfiguration {
        let file = ConfigurationFile(Array(EffectiveConfiguration.text(values).utf8), path: "test.yaml")
        return try DaemonConfiguration(
            ConfigurationSources(file: file, environment: environment, flags: flags), ownUser: 0, accounts: accounts)
    }
}
