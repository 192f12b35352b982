import Glibc

/// A question to the person at the terminal, wherever standard input comes from.
enum Confirmation {
    private static let answerBytesMax = 256

    static func ask(_ question: String) throws(CommandFailure) -> String {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw CommandFailure(.usage, "no terminal to ask on; hint: --yes does it without asking")
        }
        defer { close(terminal) }
        _ = Array(question.utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
        var answer = [UInt8](repeating: 0, count: answerBytesMax)
        let count = answer.withUnsafeMutableBytes { read(terminal, $0.baseAddress, $0.count) }
        let line = answer.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self)
    }
}
