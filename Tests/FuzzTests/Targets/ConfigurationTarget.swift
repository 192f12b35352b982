import StoreServer

@testable import ghoststored

/// Reads the configuration file.
///
/// Promises: an accepted configuration that is printed and read again gives the same values.
enum ConfigurationTarget {
    static func run(_ input: [UInt8]) throws {
        let configuration: DaemonConfiguration
        do throws(DaemonError) {
            configuration = try Self.configuration(input)
        } catch {
            return
        }
        let printed = EffectiveConfiguration.text(configuration.values)
        let again = try Self.configuration(Array(printed.utf8))
        try BrokenPromise.unless(again == configuration, "what is printed is read again as it was")
    }

    private static func configuration(_ file: [UInt8]) throws(DaemonError) -> DaemonConfiguration {
        let sources = ConfigurationSources(file: ConfigurationFile(file, path: "input"), environment: [:], flags: [:])
        // This directory contains every account, so that no name is looked up on the machine.
        let accounts = AccountDirectory(user: { _ in 1 }, group: { _ in 1 })
        return try DaemonConfiguration(sources, ownUser: 0, accounts: accounts)
    }

    static func seeds() throws -> [[UInt8]] {
        let shipped = try ProjectFiles.bytes("config/ghoststored.yaml")
        let own = [
            "access:\n  rules:\n    - \"user:0 messages:read\"\n    - 'group:1 *:read:notes.*'\nlog_level: debug\n",
            "limits: {connections_max: 12, frame_bytes_max: 8388608}\n", "--- \n# nothing\n", "socket: \"/a\\x01b\"\n",
            "state_directory: |\n  /tmp\n  x\nkey_file: \"\"\n", "&a socket: *a\n", "!!str socket: x\n",
        ]
        return [shipped] + own.map { Array($0.utf8) }
    }
}
