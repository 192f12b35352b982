import Glibc
import StoreBasics

/// A question to the person at the terminal, wherever standard input comes from.
enum Confirmation {
    private static let answerBytesMax = 256
    /// How often a person is asked for what was not right.
    static let triesMax = 3

    /// Whether a person is there to be asked: at both ends of the command is a terminal.
    static var isPossible: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    }

    /// Goes on only when the person types the word.
    ///
    /// - Parameter question: what would be done, in lines as long as they like.
    static func ask(_ question: String, word: String) throws(CommandFailure) {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw CommandFailure(.usage, "no terminal to ask on; hint: --yes does it without asking")
        }
        defer { close(terminal) }
        let columns = Terminal(descriptor: terminal)?.columns ?? Terminal.columnsDefault
        let words = DisplayText.neutralized(question).split(separator: " ").map(String.init)
        let lines = TextFill.lines(words, columns: columns) + ["Type '\(word)': "]
        var answer: [UInt8] = []
        do throws(SystemError) {
            try FileDescriptorCalls.write(terminal, Array(lines.joined(separator: "\n").utf8))
        } catch {
            throw CommandFailure(.inputOutput, "cannot ask on the terminal: \(error)")
        }
        try ShellInterrupts.waitForLine(on: terminal)
        do throws(SystemError) {
            _ = try FileDescriptorCalls.readSome(terminal, appendingTo: &answer, bytesMax: answerBytesMax)
        } catch {
            throw CommandFailure(.inputOutput, "cannot ask on the terminal: \(error)")
        }
        guard answer.prefix(while: { $0 != UInt8(ascii: "\n") }).elementsEqual(word.utf8) else {
            throw CommandFailure(.declined, "not confirmed; nothing was changed")
        }
    }
}
