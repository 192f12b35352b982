import ArgumentParser
import FoundationEssentials
import Glibc
import ServiceSupport
import StoreBasics
import StoreCrypto
import StoreServer

/// `ghoststored`: serves one encrypted store to local programs.
@main
struct Ghoststored: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ghoststored",
        abstract: "Serves one encrypted store to local programs over a Unix socket.",
        discussion: """
            Settings come from the configuration file, from environment variables (GHOSTSTORE_ and the key in \
            capitals, such as GHOSTSTORE_LIMITS_CONNECTIONS_MAX) and from these options. A variable overrides the \
            file, and an option overrides both. GHOSTSTORE_SOCKET is only for client programs; the daemon's socket \
            comes from the file or from --socket.

            Signals: SIGTERM and SIGINT stop the daemon. SIGHUP makes it read the access rules, the trusted group and \
            the log level again. SIGUSR1 locks the store.

            Exit codes:
            \(ExitCode.allCases.map { "  \($0.rawValue)\t\($0.meaning)" }.joined(separator: "\n"))
            """,
        version: "ghoststored \(ProjectVersion.text)",
        subcommands: [GenerateKeyFile.self])

    @Option(
        help: """
            The configuration file (default: the file that $\(ConfigurationFile.pathVariable) names, else \
            \(ConfigurationFile.standardPath); either may be absent).
            """)
    var config: String?

    @Option(help: "The directory that contains the store.")
    var stateDirectory: String?

    @Option(help: "The path of the socket.")
    var socket: String?

    @Option(help: "The key file that opens the store.")
    var keyFile: String?

    @Option(help: "Lowest level of the lines that are logged: \(LogLevelControl.names.joined(separator: ", ")).")
    var logLevel: String?

    @Flag(help: "If no store exists when the daemon starts, create one with the configured key.")
    var create = false

    @Flag(help: "Print the effective configuration and exit. If the configuration has an error, exit with code 78.")
    var checkConfig = false

    @Option(
        help: ArgumentHelp(
            """
            Check the configuration, and make the daemon with this process id read it again. If the configuration \
            has an error, exit with code 78 and change nothing.
            """, valueName: "process"))
    var reload: Int32?

    private var request: DaemonConfiguration.Request {
        var flags: [String: SettingValue] = [:]
        flags[Settings.stateDirectory.key] = stateDirectory.map { .text($0) }
        flags[Settings.socket.key] = socket.map { .text($0) }
        flags[Settings.keyFile.key] = keyFile.map { .text($0) }
        flags[Settings.logLevel.key] = logLevel.map { .text($0) }
        if create {
            flags[Settings.createStore.key] = .flag(true)
        }
        return DaemonConfiguration.Request(
            configurationPath: config, flags: flags, environment: ProcessInfo.processInfo.environment)
    }

    static func main() async {
        do {
            var command = try await asyncParseAsRoot(ProgramArguments.readDisablingDispatchLog())
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    func run() async throws {
        try await exiting {
            try ProcessSettings.apply()
            let request = request
            let configuration = try DaemonConfiguration.load(request)
            if let reload {
                Self.warnAboutUnknownVariables(request.environment)
                try Self.signal(reload)
            } else if checkConfig {
                Self.warnAboutUnknownVariables(request.environment)
                print(EffectiveConfiguration.text(configuration.values), terminator: "")
            } else {
                try await Daemon.run(configuration, request: request)
            }
        }
    }
}

extension Ghoststored {
    /// Reports an error of the command line like all other errors: in one line, the cause first.
    private static func end(with error: any Error) -> Never {
        guard exitCode(for: error) == .validationFailure, !(error is ArgumentParser.ExitCode) else {
            Self.exit(withError: error)
        }
        let cause = message(for: error).split(separator: "\n").joined(separator: " ")
        StandardError.write(
            "ghoststored: \(cause.prefix(1).lowercased())\(cause.dropFirst()); hint: ghoststored --help")
        Self.exit(withError: ArgumentParser.ExitCode(ExitCode.usage.rawValue))
    }

    private static func warnAboutUnknownVariables(_ environment: [String: String]) {
        for name in ConfigurationSources.unknownVariables(in: environment) {
            StandardError.write("ghoststored: warning: the environment variable \(name) is not a setting")
        }
    }

    /// Sends SIGHUP to a daemon. Service managers use this option instead of kill(1), which is not on every system.
    private static func signal(_ process: Int32) throws(DaemonError) {
        guard process > 1 else {
            throw DaemonError(.usage, "process \(process) is not ghoststored: give the daemon's process id")
        }
        guard kill(process, SIGHUP) == 0 else {
            throw DaemonError(
                .unavailable,
                "the signal to read the configuration again could not be sent to process \(process): "
                    + "\(SystemError.last); check that process \(process) is the daemon, and run this "
                    + "command as root or as the daemon's user")
        }
    }
}

/// Runs `body`. If it throws a `DaemonError`, ends the program with its message and exit code.
func exiting(_ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let error as DaemonError {
        for line in error.message.split(separator: "\n") {
            StandardError.write("ghoststored: \(line)")
        }
        throw ArgumentParser.ExitCode(error.exitCode.rawValue)
    }
}

/// `ghoststored generate-key-file`: creates a key file that opens a store without a person.
struct GenerateKeyFile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-key-file",
        abstract: "Write a new random key file, which only its owner can read. An existing file is never replaced.")

    @Argument(help: "The file to create.")
    var path: String

    func run() async throws {
        try await exiting {
            try ProcessSettings.apply()
            do {
                try SodiumRuntime.start()
                try KeyFile.generate(at: path)
            } catch let error as CryptoError {
                throw DaemonError(.cannotCreate, error.message)
            }
        }
    }
}

/// Output of messages before logging starts.
enum StandardError {
    static func write(_ line: String) {
        try? Array((line + "\n").utf8).withUnsafeBytes { try FileDescriptorCalls.write(STDERR_FILENO, $0) }
    }
}
