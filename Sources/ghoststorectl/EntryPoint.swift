import ArgumentParser
import Glibc
import StoreBasics

/// Parses the command line, runs the command and turns its failure into a message and an exit status.
@main
enum EntryPoint {
    static func main() async {
        // A reader that went away is an error of write(2), which ends the program quietly; not a signal.
        signal(SIGPIPE, SIG_IGN)
        let arguments = CommandLineWords.joiningSignedTimes(ProgramArguments.takeQuietly())
        if arguments.prefix(while: { $0 != "--" }).contains("--json") {
            Diagnostics.useJSON()
        }
        do {
            try await run(arguments)
        } catch let error where FailureMapping.isOurs(error) {
            let failure = FailureMapping.failure(of: error)
            if !failure.message.isEmpty {
                Diagnostics.write(failure)
            }
            exit(failure.status.rawValue)
        } catch {
            end(arguments, error)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        var command = try await RootCommand.asyncParseAsRoot(arguments)
        let configuration = type(of: command).configuration
        let isGroup = !configuration.subcommands.isEmpty || !configuration.groupedSubcommands.isEmpty
        if isGroup || configuration.commandName == "help", let fault = CommandLineFault.first(in: arguments) {
            throw fault.failure
        }
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            try command.run()
        }
    }

    /// With what ArgumentParser has to say: help, or what is wrong with the command line.
    private static func end(_ arguments: [String], _ error: any Error) -> Never {
        guard RootCommand.exitCode(for: error) != .success else { RootCommand.exit(withError: error) }
        if let fault = CommandLineFault.first(in: arguments) {
            Diagnostics.write(fault.failure)
        } else {
            let cause = RootCommand.message(for: error)
            let usage = RootCommand.fullMessage(for: error).split(separator: "\n").filter { $0.contains("Usage: ") }
            let lines = usage.map { "; \($0.replacing("Usage: ", with: "usage: "))" }.joined()
            Diagnostics.write(CommandFailure(.usage, cause.prefix(1).lowercased() + cause.dropFirst() + lines))
        }
        exit(ExitStatus.usage.rawValue)
    }
}
