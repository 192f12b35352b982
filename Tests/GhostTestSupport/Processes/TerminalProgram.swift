import Glibc
import StoreBasics
import Synchronization
import TestBasics

/// A program in a terminal, in which a test types. It is killed when the last reference to it is released.
package final class TerminalProgram: Sendable {
    /// The prompt of `ghoststorectl shell`.
    private static let prompt = Array("ghoststore> ".utf8)

    private let process: ChildProcess
    private let terminal: Terminal

    /// Starts the program on a new pseudo-terminal, which is its input, its output and its controlling terminal.
    ///
    /// - Parameter environment: variables in addition to a minimal environment (PATH, HOME, LANG).
    package init(
        _ path: String, _ arguments: [String] = [], columns: UInt16 = 80, environment: [String: String] = [:]
    ) throws {
        let terminal = try Terminal(columns: columns)
        self.terminal = terminal
        process = try ChildProcess(
            path: path, arguments: arguments,
            environment: ChildEnvironment.minimal(adding: ["TERM": "xterm"].merging(environment) { _, new in new }),
            streams: ChildProcess.Streams(
                inputPath: terminal.path, outputPath: terminal.path, errorPath: terminal.path, isTerminal: true))
        try OwnThread.start { terminal.readAll() }
    }

    /// Everything the program has written so far.
    package var output: String {
        terminal.seen.withLock { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Types input for a command or a prompt of a command. For a line of the shell use `line(_:)`.
    package func type(_ text: String) throws {
        try FileDescriptorCalls.write(terminal.master, Array(text.utf8))
    }

    /// Types input, and waits until the program has written `answer` after it.
    package func type(_ text: String, until answer: String) async throws {
        let before = terminal.seen.withLock { $0.bytes.count }
        try type(text)
        try await shows(answer, behind: before)
    }

    /// Types at the prompt of the shell. First waits for a new prompt, if the last line ended with Return or Ctrl-C.
    package func line(_ text: String) async throws {
        try await asksForLine()
        if text.last == "\r" || text.last == "\u{03}" {
            terminal.seen.withLock { $0.lastLineEnd = $0.bytes.count }
        }
        try type(text)
    }

    /// Types at the prompt of the shell, and waits until the program has written `answer` after that.
    package func line(_ text: String, until answer: String) async throws {
        try await asksForLine()
        let before = terminal.seen.withLock { $0.bytes.count }
        try await line(text)
        try await shows(answer, behind: before)
    }

    /// Waits until the shell has read the last line, so that Ctrl-C ends its command and does not discard the line.
    /// Then types Ctrl-C and waits for `answer`.
    package func interrupt(until answer: String) async throws {
        try await eventually("the shell has read the line") {
            let isEchoed = terminal.seen.withLock { $0.bytes[$0.lastLineEnd...].contains(UInt8(ascii: "\n")) }
            return isEchoed && terminal.unreadCount == 0
        }
        try await type("\u{03}", until: answer)
    }

    private func asksForLine() async throws {
        do {
            try await eventually("it asks for a line") {
                terminal.seen.withLock { $0.bytes[$0.lastLineEnd...].contains(Self.prompt) }
            }
        } catch {
            throw TestSupportError("it does not ask for a line: \(output.debugDescription)")
        }
    }

    /// Waits until the program's output contains a text.
    ///
    /// - Parameter start: the number of bytes at the beginning of the output that are not searched.
    package func shows(_ text: String, behind start: Int = 0) async throws {
        do {
            try await eventually("it shows \(text)") {
                terminal.seen.withLock { String(decoding: $0.bytes.dropFirst(start), as: UTF8.self) }.contains(text)
            }
        } catch {
            throw TestSupportError("it does not show '\(text)': \(output.debugDescription)")
        }
    }

    /// Waits until the program has ended and all its output was read.
    package func wait() async throws -> ExitStatus {
        let status = try await process.wait()
        try await eventually("all that it has written is read") { terminal.seen.withLock { $0.isWhole } }
        return status
    }
}

/// The master side of a pseudoterminal. It is closed when neither a test nor the reading thread uses it.
private final class Terminal: Sendable {
    struct Seen {
        var bytes: [UInt8] = []
        /// The number of bytes received when Return or Ctrl-C was typed last.
        var lastLineEnd = 0
        /// True after the last process has closed the terminal: all output was read.
        var isWhole = false
    }

    let master: CInt
    /// The path of the terminal's other side, which the program opens.
    let path: String
    let seen = Mutex(Seen())

    init(columns: UInt16) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (CInt, CUnsignedInt) = (0, 0)
        guard master >= 0, ioctl(master, Self.setLock, &lock) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
            let failure = SystemError.last
            close(master)
            throw TestSupportError("no terminal: \(failure)")
        }
        path = "/dev/pts/\(number)"
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    deinit {
        close(master)
    }

    func readAll() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        // The read fails when the program has ended.
        while case let count = read(master, &bytes, bytes.count), count > 0 {
            seen.withLock { $0.bytes.append(contentsOf: bytes.prefix(count)) }
        }
        seen.withLock { $0.isWhole = true }
    }

    /// The number of bytes in lines that the program has not read.
    var unreadCount: CInt {
        let other = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        defer { close(other) }
        var count: CInt = 0
        return ioctl(other, UInt(FIONREAD), &count) == 0 ? count : 0
    }

    /// TIOCSPTLCK and TIOCGPTN of ioctl_tty(2). Swift does not import these macros, nor posix_openpt(3).
    private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
}
