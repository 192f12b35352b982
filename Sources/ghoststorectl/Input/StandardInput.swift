import Glibc
import StoreBasics
import Synchronization

/// Standard input in place of a `-` on the command line. It can be read only once.
enum StandardInput {
    /// - Throws: An error if standard input was claimed before, or if the shell reads its own lines from it.
    static func claim() throws(CommandFailure) -> Int32 {
        guard ShellContext.current == nil else { throw shellsOwn("'-'") }
        guard !ProgramRun.current.hasReadInput.exchange(true, ordering: .relaxed) else {
            throw CommandFailure(.usage, "standard input is used twice; hint: give '-' only once")
        }
        return ProgramRun.current.input
    }

    /// Paths that always mean standard input.
    private static let names: Set<String> = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]
    /// The device number of /dev/tty, the terminal of the process (Linux's devices.txt).
    private static let ownTerminalNumber: dev_t = 0x500

    /// Rejects the input from which the shell itself reads its lines, under any name, because the command would consume
    /// the shell's lines. Call it before opening the file, because opening may wait for the other end of a pipe.
    static func refuseShells(_ path: String) throws(CommandFailure) {
        guard ShellContext.current != nil else { return }
        var facts = stat()
        // A regular file is no problem: opening it again reads it from its beginning and does not move the shell's
        // position in it.
        let takesLines =
            stat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG
            && (isShells(facts) || (facts.st_rdev == ownTerminalNumber && isatty(ProgramRun.current.input) == 1))
        guard !takesLines, !names.contains(path) else { throw shellsOwn(path) }
    }

    /// Rejects an open descriptor that the shell reads its lines from.
    static func refuseShells(_ descriptor: Int32) throws(CommandFailure) {
        var facts = stat()
        guard ShellContext.current == nil || fstat(descriptor, &facts) != 0 || !isShells(facts) else {
            throw shellsOwn("the descriptor \(descriptor)")
        }
    }

    private static func isShells(_ facts: stat) -> Bool {
        var own = stat()
        return fstat(ProgramRun.current.input, &own) == 0 && own.st_dev == facts.st_dev && own.st_ino == facts.st_ino
    }

    private static func shellsOwn(_ name: String) -> CommandFailure {
        CommandFailure(
            .usage, "the shell reads its commands from standard input; hint: name a file instead of \(name)")
    }
}

/// Content given on the command line: the word itself, or all of standard input for `-`.
enum Content {
    /// - Parameter allowsEmpty: False to reject an empty standard input.
    static func bytes(
        _ word: String, bytesMax: Int, allowsEmpty: Bool = true
    ) throws(CommandFailure) -> [UInt8] {
        guard word == "-" else { return Array(word.utf8) }
        let input = try InputFile("-")
        let bytes = try input.readAll(bytesMax: bytesMax)
        if !allowsEmpty {
            try input.refuseEmpty(bytes)
        }
        return bytes
    }

    /// - Parameter allowsEmpty: False to reject an empty standard input.
    static func text(_ word: String, bytesMax: Int, allowsEmpty: Bool = true) throws(CommandFailure) -> String {
        guard word == "-" else { return word }
        let bytes = try bytes(word, bytesMax: bytesMax, allowsEmpty: allowsEmpty)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, "standard input is not UTF-8")
        }
        return text
    }
}
