import Glibc
import StoreBasics

/// Asks the person at the terminal for confirmation, even if standard input is redirected.
enum Confirmation {
    /// The longest line of a terminal (termios(3)). Reading a whole line leaves nothing for the next reader.
    private static let answerBytesMax = 4_096
    /// The number of attempts that a person has to type a valid answer.
    static let triesMax = 3

    /// Asks on the terminal, and returns only if the person types the word. All commands ask in this way, so that one
    /// rule applies to all: without a terminal, nothing is done unless `--yes` is given.
    ///
    /// - Parameter question: Says what would be done, in lines of any length.
    static func ask(_ question: String, word: String) throws {
        let terminal = ProgramRun.current.openTerminal()
        guard terminal >= 0 else {
            throw CommandFailure(.usage, "there is no terminal to ask on; hint: with --yes the command does not ask")
        }
        defer { close(terminal) }
        let columns = Terminal(descriptor: terminal)?.columns ?? Terminal.columnsDefault
        let words = DisplayText.neutralized(question).split(separator: " ").map(String.init)
        let lines = TextFill.lines(words, columns: columns) + ["Type '\(word)': "]
        let answer = try TerminalHold.during(terminal, lines.last ?? "") {
            try readLine(terminal, asking: lines.joined(separator: "\n"))
        }
        guard answer.prefix(while: { $0 != UInt8(ascii: "\n") }).elementsEqual(word.utf8) else {
            throw CommandFailure(.declined, "not confirmed; nothing was changed")
        }
    }

    /// Reads a line with the terminal's line editing and echo, whatever its settings were. Input typed before the
    /// question was visible is discarded.
    private static func readLine(_ terminal: Int32, asking text: String) throws -> [UInt8] {
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else {
            throw CommandFailure(.inputOutput, "cannot ask on the terminal: \(SystemError.last)")
        }
        var cooked = settings
        cooked.c_lflag |= tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        tcsetattr(terminal, TCSAFLUSH, &cooked)
        defer { tcsetattr(terminal, TCSADRAIN, &settings) }
        var answer: [UInt8] = []
        do {
            try FileDescriptorCalls.write(terminal, Array(text.utf8))
            _ = fcntl(terminal, F_SETFL, O_RDWR | O_NONBLOCK)
            while try !isRead(&answer, terminal) {}
        } catch let error as SystemError {
            throw CommandFailure(.inputOutput, "cannot ask on the terminal: \(error)")
        }
        return answer
    }

    /// - Returns: False if there was nothing to read, because Ctrl-C discarded the line.
    private static func isRead(_ answer: inout [UInt8], _ terminal: Int32) throws -> Bool {
        try ShellInterrupts.waitForKeys(at: terminal)
        do throws(SystemError) {
            _ = try FileDescriptorCalls.readSome(terminal, appendingTo: &answer, bytesMax: answerBytesMax)
            return true
        } catch  where error.number == EAGAIN {
            return false
        }
    }
}
