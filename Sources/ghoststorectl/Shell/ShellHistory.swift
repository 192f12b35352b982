import Glibc
import StoreBasics

/// The lines of a shell, the newest at the end. They hold what people write: they stay in memory unless a file is asked
/// for, which is its owner's alone.
struct ShellHistory {
    private static let linesMax = 1_000
    private static let fileBytesMax = 4 << 20

    private(set) var lines: [String] = []
    /// `nil`: in memory alone.
    private let path: String?

    init() {
        path = nil
    }

    /// - Throws: when the file cannot be used, or others may read it.
    init(path: String) throws(CommandFailure) {
        self.path = path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno != ENOENT else { return }
            throw CommandFailure(.noInput, "the history \(path) could not be opened: \(SystemError.last)")
        }
        let file = try InputFile(descriptor: descriptor, path)
        var facts = stat()
        guard fstat(file.descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.noInput, "the history \(path) is not a file; hint: move it away")
        }
        guard facts.st_mode & 0o077 == 0, facts.st_uid == geteuid() else {
            throw CommandFailure(.noInput, "other users may read the history \(path); hint: chmod 600 \(path)")
        }
        let bytesLeftOut = max(0, Int(facts.st_size) - Self.fileBytesMax)
        lseek(file.descriptor, bytesLeftOut, SEEK_SET)
        var bytes = try file.readChunk(bytes: Self.fileBytesMax)[...]
        if bytesLeftOut > 0 {
            // What may be the end of a line is none.
            bytes = bytes.drop { $0 != UInt8(ascii: "\n") }
            Diagnostics.warn(
                """
                the history \(path) is longer than \(Quantity.bytes(UInt64(Self.fileBytesMax))): the shell keeps \
                only its end
                """)
        }
        let kept = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        lines = kept.suffix(Self.linesMax)
        guard kept.count > Self.linesMax || bytesLeftOut > 0 else { return }
        do throws(CommandFailure) {
            try rewrite(path)
        } catch {
            Diagnostics.warn(error.message)
        }
    }

    /// Keeps a line, at once: whatever ends the shell. Not kept are one that repeats the last, one that begins with a
    /// space, and what could be a secret that was typed or pasted where none is asked for: what is no command of this
    /// program, and a request of `rpc`. Not written to the file is a line of several, and one with a word that its
    /// command does not take: `unlock` with a passphrase behind it.
    mutating func add(_ line: String) throws(CommandFailure) {
        guard !line.isEmpty, line.first != " ", line != lines.last, Self.isOfCommands(line) else { return }
        lines = (lines + [line]).suffix(Self.linesMax)
        guard let path, !line.contains(where: \.isNewline), Self.isUnderstood(line) else { return }
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw Self.cannotWrite(path, .last) }
        defer { close(descriptor) }
        do throws(SystemError) {
            try FileDescriptorCalls.write(descriptor, Array((line + "\n").utf8))
        } catch {
            throw Self.cannotWrite(path, error)
        }
    }

    private static func isOfCommands(_ line: String) -> Bool {
        ShellWords.commands(line).allSatisfy { command in
            let words = command.words.drop { $0 == "ghoststorectl" }
            guard let first = words.first, !ShellCommand.endings.contains(first) else { return true }
            var walk = CommandLineWalk()
            for word in words where walk.path.isEmpty {
                _ = walk.step(word)
            }
            return walk.path.first.map { $0 != "rpc" } ?? walk.isHelpTopic
        }
    }

    private static func isUnderstood(_ line: String) -> Bool {
        ShellWords.commands(line).allSatisfy { command in
            let words = command.words.drop { $0 == "ghoststorectl" }
            if let first = words.first, ShellCommand.endings.contains(first) {
                return words.count == 1
            }
            var walk = CommandLineWalk()
            let options = words.prefix { $0 != "--" }
            for word in options {
                guard case .known = walk.step(word) else { return false }
            }
            let operandCount = walk.operands.count + words.count - min(words.count, options.count + 1)
            return operandCount == 0 || walk.node.place(ofOperand: operandCount - 1) != nil
        }
    }

    private func rewrite(_ path: String) throws(CommandFailure) {
        let file = try OutputFile(path, replacesExisting: true)
        let writer = DescriptorWriter(descriptor: file.descriptor)
        for line in lines {
            try writer.write(line + "\n")
        }
        try writer.flush()
        try file.commit()
    }

    private static func cannotWrite(_ path: String, _ error: SystemError) -> CommandFailure {
        CommandFailure(.cannotCreate, "cannot write to the history \(path): \(error)")
    }
}

extension ShellHistory {
    /// Where a history is kept: its folder is made, for its owner alone.
    static func standardPath() throws(CommandFailure) -> String {
        let state = Environment.value("XDG_STATE_HOME") ?? Environment.value("HOME").map { "\($0)/.local/state" }
        guard let state, state.hasPrefix("/") else {
            throw CommandFailure(.cannotCreate, "there is no folder for the history; hint: set XDG_STATE_HOME")
        }
        let folder = "\(state)/ghoststorectl"
        var path = ""
        for name in folder.split(separator: "/") {
            path += "/\(name)"
            guard access(path, F_OK) == 0 || mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw CommandFailure(.cannotCreate, "cannot create the folder \(path): \(SystemError.last)")
            }
        }
        return "\(folder)/history"
    }
}
