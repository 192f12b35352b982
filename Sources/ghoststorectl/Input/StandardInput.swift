import Glibc
import Synchronization

/// Standard input where a command line says `-`. It can be read once.
enum StandardInput {
    private static let isTaken = Atomic<Bool>(false)

    /// - Throws: the second time.
    static func take() throws(CommandFailure) -> Int32 {
        guard ShellContext.current == nil else {
            throw CommandFailure(.usage, "a shell reads standard input itself; hint: name a file in the place of '-'")
        }
        guard !isTaken.exchange(true, ordering: .relaxed) else {
            throw CommandFailure(.usage, "standard input is read already; hint: '-' can stand once in a command line")
        }
        return STDIN_FILENO
    }
}

/// Content on the command line: the word itself, or all of standard input for `-`.
enum Content {
    static func bytes(_ word: String, bytesMax: Int) throws(CommandFailure) -> [UInt8] {
        guard word == "-" else { return Array(word.utf8) }
        return try InputFile("-").readAll(bytesMax: bytesMax)
    }

    static func text(_ word: String, bytesMax: Int) throws(CommandFailure) -> String {
        guard word == "-" else { return word }
        guard let text = String(validating: try bytes(word, bytesMax: bytesMax), as: UTF8.self) else {
            throw CommandFailure(.badData, "standard input is not UTF-8")
        }
        return text
    }
}
