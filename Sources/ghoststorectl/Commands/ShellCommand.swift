import ArgumentParser
import Glibc
import StoreBasics
import StoreClient

struct ShellCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell", abstract: "Run commands one after the other, over one connection.",
        discussion: """
            On a terminal the shell has a history, and Tab completes words. Ctrl-C ends a command but not the shell. \
            'exit', 'quit' or Ctrl-D ends the shell with status 0, and Ctrl-Z suspends it. From a pipe, or if TERM is \
            dumb or not set, each line is a command, and the first command that fails ends the shell with its exit \
            status. Words are quoted as in sh, and nothing is expanded. The common options apply to all commands. No \
            command can read standard input.
            """)

    /// What ends it, beside the end of its input.
    static let endings: Set = ["exit", "quit"]

    @Flag(
        help: ArgumentHelp(
            "Keep the history in a file of mode 0600.",
            discussion: """
                The file has the last 1,000 lines in plain text. It is $XDG_STATE_HOME/ghoststorectl/history, by \
                default in ~/.local/state. Lines that begin with a space are left out.
                """))
    var keepHistory = false

    @OptionGroup var global: GlobalOptions

    func check() throws(CommandFailure) {
        guard ShellContext.current == nil else { throw CommandFailure(.usage, "this is a shell already") }
    }

    func run(_ session: Session) async throws {
        let input = try StandardInput.take()
        let format = global.json ? .json : global.format ?? ClientDefaults.current.format
        let context = ShellContext(client: session.client, format: format) { [global] in global.hold(in: &$0) }
        let isDumb = Environment.value("TERM").map { $0 == "dumb" } ?? true
        guard isatty(input) == 1, isatty(ProgramRun.current.output) == 1, !isDumb else {
            return try await ShellContext.$current.withValue(context) { try await runLines(of: input, context) }
        }
        var history = keepHistory ? try ShellHistory(path: try ShellHistory.standardPath()) : ShellHistory()
        let interrupts = try ShellInterrupts.heed()
        Diagnostics.write("'help' lists the commands, Tab completes them, 'exit' ends the shell")
        try await ShellContext.$current.withValue(context) {
            try await ShellTerminal.hold(input) {
                try await converse(&history, interrupts, context)
            }
        }
    }

    private func converse(
        _ history: inout ShellHistory, _ interrupts: ShellInterrupts, _ context: ShellContext
    ) async throws {
        while true {
            context.useOwnForm()
            switch try await LineEditor.ask("ghoststore> ", history.lines) {
            case .end: return
            case .interrupted: continue
            case .line(let text):
                do throws(CommandFailure) {
                    try history.add(text)
                } catch {
                    Diagnostics.warn(error.message)
                }
                guard await carryOut(ShellWords.commands(text), interrupts, context) else { return }
            }
        }
    }

    /// - Returns: false when the shell is to end.
    private func carryOut(
        _ commands: [ShellWords], _ interrupts: ShellInterrupts, _ context: ShellContext
    ) async -> Bool {
        for command in commands {
            context.useOwnForm()
            let failure: CommandFailure?
            do throws(CommandFailure) {
                let words = try Self.words(of: command)
                guard !Self.isEnding(words) else { return false }
                if words.isEmpty {
                    failure = nil
                } else {
                    failure = await interrupts.run { () throws(CommandFailure) in try await CommandRunner.run(words) }
                }
            } catch {
                failure = error
            }
            if let failure {
                if failure.status == .interrupted, !Diagnostics.isForPrograms {
                    // Behind what it has shown.
                    try? FileDescriptorCalls.write(ProgramRun.current.errors, [UInt8(ascii: "\n")])
                }
                if !failure.message.isEmpty {
                    Diagnostics.write(failure)
                }
                // Of what was pasted nothing goes on behind what failed.
                return true
            }
        }
        return true
    }

    /// Of a pipe, a file, or a terminal that can do nothing but lines.
    private func runLines(of input: Int32, _ context: ShellContext) async throws {
        let reader = LineReader(descriptor: input)
        while true {
            context.useOwnForm()
            guard let line = try reader.next() else { return }
            guard let text = String(validating: line, as: UTF8.self) else {
                throw CommandFailure(.badData, "line \(reader.lineNumber) is not UTF-8")
            }
            do throws(CommandFailure) {
                for command in ShellWords.commands(text) {
                    context.useOwnForm()
                    let words = try Self.words(of: command)
                    guard !Self.isEnding(words) else { return }
                    if !words.isEmpty {
                        try await CommandRunner.run(words)
                    }
                }
            } catch {
                guard !error.message.isEmpty else { throw error }
                throw error.saying { "line \(reader.lineNumber): \($0)" }
            }
        }
    }

    /// Without the name of this program, which may stand in front, as it does in documents.
    private static func words(of command: ShellWords) throws(CommandFailure) -> [String] {
        guard !command.isIncomplete else {
            throw CommandFailure(.usage, "a quote is not closed, or nothing follows a backslash")
        }
        return command.words.first == "ghoststorectl" ? Array(command.words.dropFirst()) : command.words
    }

    private static func isEnding(_ words: [String]) -> Bool {
        words.count == 1 && endings.contains(words[0])
    }
}
