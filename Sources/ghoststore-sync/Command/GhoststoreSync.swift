import ArgumentParser
import FoundationEssentials
import Glibc
import StoreBasics

/// `ghoststore-sync`: carries sealed messages between the daemon and a folder or a JetStream stream.
@main
struct GhoststoreSync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ghoststore-sync",
        abstract: "Carries the sealed messages of a replica group to other devices, by a folder or by NATS servers.",
        discussion: """
            The agent has no key of the store and keeps no data of its own: after a restart, the agent learns from the \
            daemon and from the folder or the servers where to continue.

            Signals: SIGTERM and SIGINT stop the agent.

            Exit codes:
            \(ExitCode.allCases.map { "  \($0.rawValue)\t\($0.meaning)" }.joined(separator: "\n"))
            """,
        version: "ghoststore-sync \(ProjectVersion.text)", subcommands: [PipeCommand.self])

    @Option(
        help: "The configuration file (default: \(SyncConfigurationFile.standardPath), which may be absent).",
        completion: .file())
    var config: String?

    @Flag(help: "Print the effective configuration and exit. If the configuration has an error, exit with code 78.")
    var checkConfig = false

    static func main() async {
        do {
            var command = try parseAsRoot(ProgramArguments.readDisablingDispatchLog())
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as SyncError {
            for line in error.message.split(separator: "\n") {
                writeToStandardError("ghoststore-sync: \(line)")
            }
            exit(withError: ArgumentParser.ExitCode(error.exitCode.rawValue))
        } catch {
            end(with: error)
        }
    }

    func run() async throws {
        SyncProcess.prepare()
        let environment = ProcessInfo.processInfo.environment
        let configuration = try SyncConfiguration.load(path: config, environment: environment)
        if checkConfig {
            print(configuration.text, terminator: "")
        } else {
            try await SyncProcess.run(configuration, environment: environment)
        }
    }

    /// Reports an error of the command line like all other errors: in one line, the cause first.
    private static func end(with error: any Error) -> Never {
        guard exitCode(for: error) == .validationFailure, !(error is ArgumentParser.ExitCode) else {
            exit(withError: error)
        }
        let cause = message(for: error).split(separator: "\n").joined(separator: " ")
        writeToStandardError(
            "ghoststore-sync: \(cause.prefix(1).lowercased())\(cause.dropFirst()); hint: ghoststore-sync --help")
        exit(withError: ArgumentParser.ExitCode(ExitCode.usage.rawValue))
    }

    /// Writes a line to standard error, for messages before logging starts.
    static func writeToStandardError(_ line: String) {
        try? FileDescriptorCalls.write(STDERR_FILENO, Array((line + "\n").utf8))
    }
}
