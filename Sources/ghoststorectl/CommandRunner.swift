import ArgumentParser
import Glibc

/// Parses a command line, loads the defaults of options, and runs the command or prints help.
enum CommandRunner {
    /// - Parameter arguments: The arguments without the name of the program.
    /// - Throws: The reason for the failure. Requested help is printed and is no failure.
    static func run(_ arguments: [String]) async throws(CommandFailure) {
        let arguments = CommandLineWords.joiningSignedTimes(arguments)
        let shell = ShellContext.current
        heedForm(
            arguments, byDefault: shell.map { $0.format?.rawValue } ?? Environment.value("GHOSTSTORE_FORMAT"))
        let command: any ParsableCommand
        do {
            command = try await parsed(arguments)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            return try printHelpOrThrow(error, about: arguments)
        }
        do {
            // Help must be available even if the configuration is invalid, and the doctor reports invalid configuration
            // itself.
            if command is DoctorCommand {
                try? ClientDefaults.load()
            } else if type(of: command).configuration.commandName != "help" {
                try ClientDefaults.load()
            }
            heedForm(arguments, byDefault: ClientDefaults.current.format?.rawValue)
            try await run(command)
        } catch let error where RootCommand.exitCode(for: error) != .success {
            throw FailureMapping.failure(of: error)
        } catch {
            try printHelpOrThrow(error, about: arguments)
        }
    }

    static func heedForm(_ arguments: [String], byDefault format: String?) {
        Diagnostics.useJSON(CommandLineWords.askForJSON(arguments, byDefault: format))
    }

    private static func parsed(_ arguments: [String]) async throws -> any ParsableCommand {
        let command = try await RootCommand.asyncParseAsRoot(arguments)
        let configuration = type(of: command).configuration
        let isGroup = !configuration.subcommands.isEmpty || !configuration.groupedSubcommands.isEmpty
        if isGroup || configuration.commandName == "help", let fault = CommandLineFault.first(in: arguments) {
            if fault.isMissingCommand {
                Diagnostics.showCommands(
                    command is RootCommand
                        ? ShortHelp.text(columns: Terminal.textColumns) : HelpText.commands(of: type(of: command)))
            }
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

    /// Prints the help that ArgumentParser returned, or throws what is wrong with the command line.
    private static func printHelpOrThrow(_ error: any Error, about arguments: [String]) throws(CommandFailure) {
        guard RootCommand.exitCode(for: error) == .success else {
            throw CommandLineFault.first(in: arguments)?.failure ?? ParserFailure.failure(of: error)
        }
        let columns = Terminal.textColumns
        let text = HelpText.ordered(
            HelpText.fitted(RootCommand.fullMessage(for: error, columns: columns), columns: columns))
        guard !text.isEmpty else { return }
        let output = Output(
            .people, style: DisplayStyle(descriptor: ProgramRun.current.output),
            pagerCommand: HelpText.isHelp(text) ? pagerOfHelp(arguments) : nil)
        try output.page(text)
    }

    /// Returns the pager for help, or `nil` if help is printed without a pager. Help is shown even if the defaults are
    /// invalid.
    private static func pagerOfHelp(_ arguments: [String]) -> String? {
        let defaults = (try? ClientDefaults.read()) ?? ClientDefaults()
        guard defaults.hasPager, !arguments.prefix(while: { $0 != "--" }).contains("--no-pager") else { return nil }
        return Pager.command(chosen: defaults.pager)
    }
}
