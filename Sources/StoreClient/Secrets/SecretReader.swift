import Glibc
import StoreBasics

/// Reads secrets from descriptors straight into locked memory.
enum SecretReader {
    /// Returns when a descriptor is readable.
    typealias Waiting = (_ descriptor: CInt) throws(StoreClientError) -> Void

    /// More than the longest secret with its line end, so that a longer secret is detected.
    private static let capacity = SecretInput.keyFileBytesMax + 3

    /// The line end that followed a secret and is not part of it.
    enum LineEnd {
        case none
        case newline
        /// A carriage return, alone or with a newline, as on Windows.
        case carriageReturn
    }

    /// Reads a secret to the end of a descriptor, or one line of a terminal.
    ///
    /// - Parameters:
    ///   - isTyped: True for a line of a terminal.
    ///   - lineEnd: Set to the line end that was removed; `nil` keeps any line end.
    static func read(
        _ descriptor: CInt, isTyped: Bool = false, _ lineEnd: inout LineEnd?, waiting: Waiting = untilReadable
    ) throws(StoreClientError) -> LockedBytes {
        var buffer = try LockedBytes(count: capacity)
        var count = try buffer.withUnsafeMutableBytes { (memory) throws(StoreClientError) in
            try fill(memory, from: descriptor, untilNewline: isTyped, waiting)
        }
        if lineEnd != nil {
            (count, lineEnd) = buffer.withUnsafeBytes { withoutLineEnd($0[..<count], isTyped: isTyped) }
        }
        return try buffer.withUnsafeBytes { (memory) throws(StoreClientError) in
            try LockedBytes(copying: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        }
    }

    /// Returns the length of a secret without its line end, and the line end.
    ///
    /// - Parameter isTyped: True if the secret was typed on a terminal. A terminal turns carriage returns into
    ///   newlines, so a remaining one is part of the secret.
    private static func withoutLineEnd(_ secret: Slice<UnsafeRawBufferPointer>, isTyped: Bool) -> (Int, LineEnd) {
        let line = secret.last == UInt8(ascii: "\n") ? secret.dropLast() : secret
        guard !isTyped, line.last == UInt8(ascii: "\r") else {
            return (line.count, line.count < secret.count ? .newline : .none)
        }
        return (line.count - 1, .carriageReturn)
    }

    static func untilReadable(_ descriptor: CInt) throws(StoreClientError) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // A descriptor with an error is readable too, because reading it returns the error.
        _ = try? withoutInterruption { poll(&wanted, 1, -1) }
    }

    private static func fill(
        _ memory: UnsafeMutableRawBufferPointer, from descriptor: CInt, untilNewline: Bool, _ waiting: Waiting
    ) throws(StoreClientError) -> Int {
        var count = 0
        while count < memory.count {
            // A terminal line is read byte by byte, so that input after it stays for the next reader. Wait before each
            // byte, because a line that the person ends with Ctrl-D has no newline.
            try waiting(descriptor)
            let end = untilNewline ? count + 1 : memory.count
            let next = UnsafeMutableRawBufferPointer(rebasing: memory[count..<end])
            do throws(SystemError) {
                let read = try FileDescriptorCalls.readSome(descriptor, into: next)
                guard read > 0 else { break }
                count += read
            } catch  where error.number == EAGAIN {
                // Ctrl-C discards the typed line, even between the wait and the read. Then nothing can be read: wait
                // again.
                continue
            } catch {
                throw StoreClientError("could not read the secret", error)
            }
            if untilNewline, next[0] == UInt8(ascii: "\n") {
                break
            }
        }
        return count
    }

    static func prompt(_ text: String, waiting: Waiting = untilReadable) throws(StoreClientError) -> LockedBytes {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw StoreClientError(
                code: .failedPrecondition, reason: .inputOutputFailed,
                message: """
                    there is no terminal to ask for the secret; hint: give the secret in a file or with a descriptor
                    """)
        }
        defer { close(terminal) }
        return try askWithoutEcho(text, terminal: terminal, waiting: waiting)
    }

    /// Reads a line from a terminal without echo. The terminal's settings are restored, even after a failure.
    ///
    /// - Parameter terminal: A descriptor that was opened only for this, because it becomes non-blocking.
    static func askWithoutEcho(
        _ text: String, terminal: CInt, waiting: Waiting = untilReadable
    ) throws(StoreClientError) -> LockedBytes {
        var saved = termios()
        var hasSilenced = tcgetattr(terminal, &saved) == 0
        var silent = saved
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ICANON) | tcflag_t(ECHONL)
        // TCSAFLUSH discards input that was typed before the prompt. In the `defer` block below, it discards the rest
        // of a line that is too long.
        hasSilenced = hasSilenced && tcsetattr(terminal, TCSAFLUSH, &silent) == 0
        guard hasSilenced else {
            throw StoreClientError(
                "the terminal would show the secret, because its echo cannot be turned off", SystemError.last)
        }
        defer { tcsetattr(terminal, TCSAFLUSH, &saved) }
        // Ignore an error of the write, because the following read fails then, too.
        _ = Array(text.utf8).withUnsafeBytes { try? FileDescriptorCalls.write(terminal, $0) }
        _ = fcntl(terminal, F_SETFL, O_RDWR | O_NONBLOCK)
        var lineEnd: LineEnd? = LineEnd.none
        return try read(terminal, isTyped: true, &lineEnd, waiting: waiting)
    }
}
