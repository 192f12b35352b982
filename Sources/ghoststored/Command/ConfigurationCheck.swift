internal import Glibc
internal import StoreServer

/// `--check-config`: everything that can be found wrong without touching the store.
enum ConfigurationCheck {
    static func run(_ configuration: DaemonConfiguration, environment: [String: String]) throws(DaemonError) {
        _ = try configuration.accessPolicy(ownUser: geteuid(), accounts: .system)
        for name in ConfigurationSources.unknownVariables(in: environment) {
            StandardError.write("ghoststored: warning: the environment variable \(name) is no setting")
        }
        print(EffectiveConfiguration.text(configuration.values), terminator: "")
    }
}
