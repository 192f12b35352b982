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
            let command = try await parsed(arguments)
            do {
                try await run(command)
            } catch let error where RootCommand.exitCode(for: error) != .success {
                end(with: FailureMapping.failure(of: error))
            }
        } catch let failure as CommandFailure {
            end(with: failure)
        } catch {
            end(arguments, error)
        }
    }

    private static func end(with failure: CommandFailure) -> Never {
        if !failure.message.isEmpty {
            Diagnostics.write(failure)
        }
        exit(failure.status.rawValue)
    }

    private static func parsed(_ arguments: [String]) async throws -> any ParsableCommand {
        let command = try await RootCommand.asyncParseAsRoot(arguments)
        let configuration = type(of: command).configuration
        let isGroup = !configuration.subcommands.isEmpty || !configuration.groupedSubcommands.isEmpty
        if isGroup || configuration.commandName == "help", let fault = CommandLineFault.first(in: arguments) {
            throw fault.failure
        }
        return command
    }

    private static func run(_ command: any ParsableCommand) async throws {
        var command = command
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            try command.run()
        }
    }

    /// With what ArgumentParser has to say: help, or what is wrong with the command line.
    private static func end(_ arguments: [String], _ error: any Error) -> Never {
        guard RootCommand.exitCode(for: error) != .success else {
            let columns = Terminal.textColumns
            let text = HelpText.fitted(RootCommand.fullMessage(for: error, columns: columns), columns: columns)
            do throws(CommandFailure) {
                let output = Output(isJSON: false, style: DisplayStyle(descriptor: STDOUT_FILENO))
                if !text.isEmpty {
                    try output.line(text)
                    try output.flush()
                }
            } catch {
                end(with: error)
            }
            exit(ExitStatus.success.rawValue)
        }
        end(with: CommandLineFault.first(in: arguments)?.failure ?? ParserFailure.failure(of: error))
    }
}
