import ArgumentParser
import Glibc
import StoreBasics
import StoreClient

struct ShellCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell", abstract: "Run commands one after the other, over one connection.",
        discussion: """
            Each line is a command. Words are quoted as in sh, but variables and patterns are not expanded. The common \
            options given to 'shell' apply to all its commands. No command can read standard input. 'exit', 'quit' or \
            the end of the input (Ctrl-D) ends the shell with status 0.

            On a terminal the shell continues after a command that fails, and Ctrl-C ends a command but not the shell. \
            'rlwrap ghoststorectl shell' adds line editing and a history. From a pipe, or if TERM is dumb or not set, \
            the first command that fails ends the shell with its exit status.
            """)

    private static let prompt = "ghoststore> "
    private static let endings: Set = ["exit", "quit"]

    @OptionGroup var global: GlobalOptions

    func check() throws(CommandFailure) {
        guard ShellContext.current == nil else { throw CommandFailure(.usage, "this command already runs in a shell") }
    }

    func run(_ session: Session) async throws {
        let input = try StandardInput.claim()
        let format = global.json ? .json : global.format ?? ClientDefaults.current.format
        let context = ShellContext(client: session.client, format: format) { [global] in global.hold(in: &$0) }
        let isDumb = Environment.value("TERM").map { $0 == "dumb" } ?? true
        guard isatty(input) == 1, isatty(ProgramRun.current.output) == 1, !isDumb else {
            return try await ShellContext.$current.withValue(context) { try await runLines(of: input, context) }
        }
        let interrupts = try ShellInterrupts.heed()
        Diagnostics.write("'help' lists the commands, 'exit' ends the shell")
        try await ShellContext.$current.withValue(context) { try await converse(input, interrupts, context) }
    }

    /// Runs the lines that a person types at a terminal, which provides the line editing.
    private func converse(
        _ terminal: Int32, _ interrupts: ShellInterrupts, _ context: ShellContext
    ) async throws {
        // The descriptor stays open until the program ends, which is when the shell ends.
        let keys = Self.reopened(terminal)
        let lines = LineReader(descriptor: keys)
        while true {
            context.useOwnForm()
            ShellInterrupts.forget()
            try Self.show(Self.prompt)
            let line: [UInt8]?
            do throws(CommandFailure) {
                line = try lines.next()
            } catch  where error.status == .interrupted {
                // The terminal has dropped the unfinished line; the reader may still hold a part of it.
                lines.discard()
                try Self.show("\n")
                continue
            }
            guard let line else { return try Self.show("\n") }
            do throws(CommandFailure) {
                guard let text = String(validating: line, as: UTF8.self) else {
                    throw CommandFailure(.badData, "the line is not UTF-8")
                }
                let words = try Self.words(of: text)
                guard !Self.isEnding(words) else { return }
                guard !words.isEmpty else { continue }
                let failure = await interrupts.run { () throws(CommandFailure) in try await CommandRunner.run(words) }
                if let failure {
                    throw failure
                }
            } catch {
                try Self.printFailure(error)
                Self.dropPaste(at: terminal)
                lines.discard()
            }
        }
    }

    /// Opens the terminal again for reads that do not block: Ctrl-C discards the typed input, possibly between the wait
    /// for it and the read. Other programs that share the given descriptor keep reading as before. Returns the given
    /// descriptor if the terminal belongs to another user, as after su.
    private static func reopened(_ terminal: Int32) -> Int32 {
        let keys = open("/proc/self/fd/\(terminal)", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return keys >= 0 ? keys : terminal
    }

    private static func printFailure(_ failure: CommandFailure) throws {
        if failure.status == .interrupted, !Diagnostics.isForPrograms {
            // The terminal shows ^C on the last line of the output, so a newline follows.
            try FileDescriptorCalls.write(ProgramRun.current.errors, [UInt8(ascii: "\n")])
        }
        if !failure.message.isEmpty {
            Diagnostics.write(failure)
        }
    }

    private static func show(_ text: String) throws {
        try FileDescriptorCalls.write(ProgramRun.current.output, Array(text.utf8))
    }

    /// Drops the pending lines, so that the rest of a paste does not run after one of its lines failed. A terminal
    /// sends a long paste in parts, so the paste counts as ended when nothing arrives for a moment.
    private static func dropPaste(at terminal: Int32) {
        var wanted = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        repeat {
            tcflush(terminal, TCIFLUSH)
        } while poll(&wanted, 1, 50) > 0 && wanted.revents == Int16(POLLIN)
    }

    /// Runs the lines of a pipe, a file, or a dumb terminal.
    private func runLines(of input: Int32, _ context: ShellContext) async throws {
        let reader = LineReader(descriptor: input)
        while true {
            context.useOwnForm()
            guard let line = try reader.next() else { return }
            let text = try RequestLine.text(line, lineNumber: reader.lineNumber)
            do throws(CommandFailure) {
                let words = try Self.words(of: text)
                guard !Self.isEnding(words) else { return }
                if !words.isEmpty {
                    try await CommandRunner.run(words)
                }
            } catch {
                guard !error.message.isEmpty else { throw error }
                throw error.saying { "line \(reader.lineNumber): \($0)" }
            }
        }
    }

    /// Returns the words without the name of this program, which may come first, as in the examples of documents.
    private static func words(of line: String) throws(CommandFailure) -> [String] {
        let command = ShellWords(line)
        guard !command.isIncomplete else {
            throw CommandFailure(.usage, "a quote is not closed, or nothing follows a backslash")
        }
        return command.words.first == "ghoststorectl" ? Array(command.words.dropFirst()) : command.words
    }

    private static func isEnding(_ words: [String]) -> Bool {
        words.count == 1 && endings.contains(words[0])
    }
}
