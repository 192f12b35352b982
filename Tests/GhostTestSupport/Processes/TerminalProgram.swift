import Glibc
import StoreBasics
import Synchronization
import TestBasics

/// A program at a terminal of its own, where a test types. Killed when the last reference to it is gone.
package final class TerminalProgram: Sendable {
    private let process: ChildProcess
    private let master: CInt
    private let seen = Mutex<[UInt8]>([])

    /// - Parameter environment: added to a minimal one (PATH, HOME, LANG).
    package init(
        _ path: String, _ arguments: [String] = [], columns: UInt16 = 80, environment: [String: String] = [:]
    ) throws {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (CInt, CUnsignedInt) = (0, 0)
        guard master >= 0, ioctl(master, Self.setLock, &lock) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
            throw TestSupportError("no terminal: \(SystemError.last)")
        }
        self.master = master
        Self.setSize(master, columns)
        let terminal = "/dev/pts/\(number)"
        process = try ChildProcess(
            path: path, arguments: arguments,
            environment: ChildEnvironment.minimal(adding: ["TERM": "xterm"].merging(environment) { _, new in new }),
            streams: ChildProcess.Streams(
                inputPath: terminal, outputPath: terminal, errorPath: terminal, isTerminal: true))
        try OwnThread.start { [weak self] in
            var bytes = [UInt8](repeating: 0, count: 4_096)
            // Fails when the program has ended.
            while case let count = read(master, &bytes, bytes.count), count > 0 {
                self?.seen.withLock { $0.append(contentsOf: bytes.prefix(count)) }
            }
            close(master)
        }
    }

    /// All that it has written so far.
    package var output: String {
        seen.withLock { String(decoding: $0, as: UTF8.self) }
    }

    package func type(_ text: String) throws {
        try FileDescriptorCalls.write(master, Array(text.utf8))
    }

    /// Types, and waits until the program has written something that was not there before.
    package func type(_ text: String, until answer: String) async throws {
        let before = seen.withLock { $0.count }
        try type(text)
        try await shows(answer, behind: before)
    }

    /// - Parameter start: bytes that are passed over.
    package func shows(_ text: String, behind start: Int = 0) async throws {
        do {
            try await eventually("it shows \(text)") {
                seen.withLock { String(decoding: $0.dropFirst(start), as: UTF8.self) }.contains(text)
            }
        } catch {
            throw TestSupportError("it does not show '\(text)': \(output.debugDescription)")
        }
    }

    package func resize(columns: UInt16) {
        Self.setSize(master, columns)
    }

    package func signal(_ number: CInt) {
        process.signal(number)
    }

    package func wait() async throws -> ExitStatus {
        try await process.wait()
    }

    /// TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), macros that Swift does not see; nor does it posix_openpt(3).
    private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    private static func setSize(_ terminal: CInt, _ columns: UInt16) {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }
}
