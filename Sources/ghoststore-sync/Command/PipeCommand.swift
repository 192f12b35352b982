import ArgumentParser
import FoundationEssentials
import Glibc
import Logging
import ReplicaTransport
import ServiceSupport

/// `ghoststore-sync pipe`: carries the folder of a group to another device and back. The other device is reached
/// through this process's standard input and output, or through the standard input and output of a command that it
/// starts.
struct PipeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pipe",
        abstract: "Carry the group's folder to another device and back, for example over ssh.",
        discussion: """
            Speaks over standard input and output with another `ghoststore-sync pipe`. With a command, starts the \
            command and speaks with it:

              ghoststore-sync pipe -- ssh desktop ghoststore-sync pipe

            Both devices need `folder` in their configuration, or --folder. The pipe runs until the other end closes \
            it. It needs no connection to the daemon.
            """)

    @ParentCommand var parent: GhoststoreSync

    @Option(help: "The folder to carry, instead of the configured one.", completion: .directory)
    var folder: String?

    @Option(help: "The group's name, instead of the configured stream.name.")
    var name: String?

    @Argument(parsing: .postTerminator, help: "The command that starts the other end.")
    var command: [String] = []

    func run() async throws {
        SyncProcess.prepare()
        // A signal may end the process at once, because a file that was written only in part is written again later.
        for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
        let environment = ProcessInfo.processInfo.environment
        let file = SyncConfigurationFile(
            reading: parent.config ?? SyncConfigurationFile.standardPath, isRequired: parent.config != nil)
        guard file.problems.isEmpty else { throw SyncError(.configuration, file.problems.joined(separator: "\n")) }
        let path = folder ?? file.text(.folder)
        let name = name ?? file.text(.streamName)
        guard !path.isEmpty else {
            throw SyncError(
                .usage, "the pipe needs a folder; hint: set folder in the configuration, or give --folder with its path"
            )
        }
        guard path.hasPrefix("/") else { throw SyncError(.usage, "--folder is not an absolute path") }
        guard StreamSettings.isUsableName(name) else {
            throw SyncError(.usage, "--name is not \(SyncSetting.streamName.expectation)")
        }
        let logger = SyncProcess.logger(
            level: Logger.Level(rawValue: file.text(.logLevel)) ?? .info, environment: environment)
        do throws(TransportError) {
            try await carry(path, name, logger)
        } catch {
            throw SyncError(.unavailable, error.message)
        }
    }

    private func carry(_ path: String, _ name: String, _ logger: Logger) async throws(TransportError) {
        let folder = try await GroupFolder.open(path, name: name) { logger.log($0) }
        let child = try command.isEmpty ? nil : PipeChild(command)
        let link = PipeLink(
            folder, name: name, input: child?.socket ?? STDIN_FILENO, output: child?.socket ?? STDOUT_FILENO)
        await link.run { failure in
            let failure = failure?.message ?? child?.end()
            if let failure {
                GhoststoreSync.writeToStandardError("ghoststore-sync: \(failure)")
                Self.exit(withError: ArgumentParser.ExitCode(ExitCode.unavailable.rawValue))
            }
            logger.notice(
                "the other end closed the pipe",
                metadata: ["sent": "\(link.counts.sent)", "received": "\(link.counts.received)"])
            Self.exit(withError: ArgumentParser.ExitCode(ExitCode.success.rawValue))
        }
    }
}
