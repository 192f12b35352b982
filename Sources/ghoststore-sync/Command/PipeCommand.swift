import ArgumentParser
import FoundationEssentials
import Glibc
import Logging
import ReplicaTransport
import ServiceSupport

/// `ghoststore-sync pipe`: carries the folder of a group to another device and back, over standard input and output or
/// over those of a command.
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

    @Option(help: "The configuration file (default: \(SyncFile.standardPath)).", completion: .file())
    var config: String?

    @Option(help: "The folder to carry, instead of the configured one.", completion: .directory)
    var folder: String?

    @Option(help: "The group's name, instead of the configured stream.name.")
    var name: String?

    @Argument(parsing: .postTerminator, help: "The command that starts the other end.")
    var command: [String] = []

    func run() async throws {
        SyncProcess.prepare()
        let environment = ProcessInfo.processInfo.environment
        let file = SyncFile(reading: config ?? SyncFile.standardPath, isRequired: config != nil)
        guard file.problems.isEmpty else { throw SyncError(.configuration, file.problems.joined(separator: "\n")) }
        let path = folder ?? file.text(.folder)
        let name = name ?? file.text(.streamName)
        guard path.hasPrefix("/"), StreamSettings.isUsableName(name) else {
            throw SyncError(
                .usage, "the pipe needs a folder; hint: set folder in the configuration, or give --folder with its path"
            )
        }
        let logger = SyncProcess.logger(
            level: Logger.Level(rawValue: file.text(.logLevel)) ?? .info, environment: environment)
        try await Self.carry(path, name, command, logger)
    }

    private static func carry(_ path: String, _ name: String, _ command: [String], _ logger: Logger) async throws {
        do {
            let folder = try await GroupFolder.open(path, name: name) { notice in
                logger.info("a file in the folder is not carried", metadata: ["notice": "\(notice)"])
            }
            let child = try command.isEmpty ? nil : PipeChild(command)
            let link = PipeLink(
                folder, name: name, input: child?.socket ?? STDIN_FILENO, output: child?.socket ?? STDOUT_FILENO)
            try await link.run()
            logger.notice(
                "the other end closed the pipe",
                metadata: ["sent": "\(link.counts.sent)", "received": "\(link.counts.received)"])
            if let child, let failure = child.end() { throw SyncError(.unavailable, failure) }
        } catch let error as TransportError {
            throw SyncError(.unavailable, error.message)
        }
    }
}
