import Glibc
import StoreBasics

/// Reads secrets from descriptors straight into locked memory.
enum SecretReader {
    /// Returns when a descriptor can be read.
    typealias Waiting = (_ descriptor: CInt) throws(StoreClientError) -> Void

    /// One more than the longest secret and its line end, so that a longer one is seen to be longer.
    private static let capacity = SecretInput.keyFileBytesMax + 3

    /// The line end that followed a secret and is not part of it.
    enum LineEnd {
        case none
        case newline
        /// A carriage return with a newline, as Windows ends lines, or alone.
        case carriageReturn
    }

    /// Reads a secret to the end of a descriptor, or one line of a terminal.
    ///
    /// - Parameters:
    ///   - isTyped: Whether this is a line of a terminal.
    ///   - lineEnd: Is set to the line end that was left out; `nil` leaves none out.
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

    /// - Parameter isTyped: Whether the secret was typed on a terminal. A terminal turns carriage returns into
    ///   newlines, so one that is left was meant.
    private static func withoutLineEnd(_ secret: Slice<UnsafeRawBufferPointer>, isTyped: Bool) -> (Int, LineEnd) {
        let line = secret.last == UInt8(ascii: "\n") ? secret.dropLast() : secret
        guard !isTyped, line.last == UInt8(ascii: "\r") else {
            return (line.count, line.count < secret.count ? .newline : .none)
        }
        return (line.count - 1, .carriageReturn)
    }

    static func untilReadable(_ descriptor: CInt) throws(StoreClientError) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // What has failed is readable too: reading tells it.
        _ = try? withoutInterruption { poll(&wanted, 1, -1) }
    }

    private static func fill(
        _ memory: UnsafeMutableRawBufferPointer, from descriptor: CInt, untilNewline: Bool, _ waiting: Waiting
    ) throws(StoreClientError) -> Int {
        var count = 0
        while count < memory.count {
            // A terminal line is taken byte by byte so that nothing typed after it is swallowed. Each is waited for: a
            // line that Ctrl-D cuts off has no newline.
            try waiting(descriptor)
            let end = untilNewline ? count + 1 : memory.count
            let next = UnsafeMutableRawBufferPointer(rebasing: memory[count..<end])
            do throws(SystemError) {
                let read = try FileDescriptorCalls.readSome(descriptor, into: next)
                guard read > 0 else { break }
                count += read
            } catch  where error.number == EAGAIN {
                // Ctrl-C takes back what was typed, also between the wait and the read.
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

    /// Reads a line from a terminal with its echo off; the terminal is put back as it was, also on failure.
    ///
    /// - Parameter terminal: opened for this alone: reading it does not wait from then on.
    static func askWithoutEcho(
        _ text: String, terminal: CInt, waiting: Waiting = untilReadable
    ) throws(StoreClientError) -> LockedBytes {
        var saved = termios()
        var hasSilenced = tcgetattr(terminal, &saved) == 0
        var silent = saved
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ICANON) | tcflag_t(ECHONL)
        // Without what was typed before the prompt is seen, and below without the rest of a line that is too long.
        hasSilenced = hasSilenced && tcsetattr(terminal, TCSAFLUSH, &silent) == 0
        guard hasSilenced else {
            throw StoreClientError(
                "the terminal would show the secret, because its echo cannot be turned off", SystemError.last)
        }
        defer { tcsetattr(terminal, TCSAFLUSH, &saved) }
        // A failure shows in the read that follows.
        _ = Array(text.utf8).withUnsafeBytes { try? FileDescriptorCalls.write(terminal, $0) }
        _ = fcntl(terminal, F_SETFL, O_RDWR | O_NONBLOCK)
        var lineEnd: LineEnd? = LineEnd.none
        return try read(terminal, isTyped: true, &lineEnd, waiting: waiting)
    }
}
