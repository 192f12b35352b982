@testable import ghoststored

/// The configuration file.
///
/// Promises: what is accepted, printed as the configuration in force and read again, gives the same values.
enum ConfigurationTarget {
    static func run(_ input: [UInt8]) throws {
        let configuration: DaemonConfiguration
        do throws(DaemonError) {
            configuration = try DaemonConfiguration.merge(file: ConfigurationFile.parse(input, path: "input"))
        } catch {
            return
        }
        let printed = EffectiveConfiguration.text(configuration.values)
        let again = try DaemonConfiguration.merge(file: ConfigurationFile.parse(Array(printed.utf8), path: "printed"))
        try BrokenPromise.unless(again.values == configuration.values, "what is printed is read again as it was")
    }

    static func seeds() throws -> [[UInt8]] {
        let shipped = try ProjectFiles.bytes("config/ghoststored.yaml")
        let own = [
            "access:\n  rules:\n    - \"user:0 messages:read\"\n    - 'group:1 *:read:notes.*'\nlog_level: debug\n",
            "limits: {connections_max: 12, frame_bytes_max: 8388608}\n", "--- \n# nothing\n", "socket: \"/a\\x01b\"\n",
            "state_directory: |\n  /tmp\n  x\nkey_file: ~\n", "&a socket: *a\n", "!!str socket: x\n",
        ]
        return [shipped] + own.map { Array($0.utf8) }
    }
}
