#if canImport(Glibc)
import Glibc
#endif

/// Reads secrets from descriptors straight into locked memory.
enum SecretReader {
    /// One more than the longest secret and its newline, so that a longer one is seen to be longer.
    private static let capacity = SecretInput.keyFileBytesMax + 2

    static func read(
        _ descriptor: CInt, untilNewline: Bool, dropsNewline: Bool
    ) throws(StoreClientError) -> LockedBytes {
        var buffer = try LockedBytes(count: capacity)
        var count = try buffer.withUnsafeMutableBytes { (memory) throws(StoreClientError) in
            try fill(memory, from: descriptor, untilNewline: untilNewline)
        }
        if dropsNewline || untilNewline {
            count = buffer.withUnsafeBytes { memory in
                count > 0 && memory[count - 1] == UInt8(ascii: "\n") ? count - 1 : count
            }
        }
        return try buffer.withUnsafeBytes { (memory) throws(StoreClientError) in
            try LockedBytes(copying: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        }
    }

    private static func fill(
        _ memory: UnsafeMutableRawBufferPointer, from descriptor: CInt, untilNewline: Bool
    ) throws(StoreClientError) -> Int {
        guard let start = memory.baseAddress else {
            return 0
        }
        var count = 0
        while count < memory.count {
            // A terminal line is taken byte by byte so that nothing typed after it is swallowed.
            let wanted = untilNewline ? 1 : memory.count - count
            let got = Glibc.read(descriptor, start + count, wanted)
            if got < 0 && errno == EINTR {
                continue
            }
            guard got >= 0 else {
                throw StoreClientError.systemCall("could not read the secret", errno: errno)
            }
            guard got > 0 else {
                break
            }
            count += got
            if untilNewline && memory[count - 1] == UInt8(ascii: "\n") {
                break
            }
        }
        return count
    }

    static func prompt(_ text: String) throws(StoreClientError) -> LockedBytes {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw StoreClientError(
                code: .failedPrecondition, reason: .inputOutputFailed,
                message: "no terminal to ask for the secret; hint: give it by file or descriptor")
        }
        defer { close(terminal) }
        return try askWithoutEcho(text, terminal: terminal)
    }

    /// Reads a line from a terminal with its echo off; the terminal is put back as it was, also on failure.
    static func askWithoutEcho(_ text: String, terminal: CInt) throws(StoreClientError) -> LockedBytes {
        var saved = termios()
        guard tcgetattr(terminal, &saved) == 0 else {
            throw StoreClientError.systemCall("could not turn the terminal's echo off", errno: errno)
        }
        var silent = saved
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ICANON) | tcflag_t(ECHONL)
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else {
            throw StoreClientError.systemCall("could not turn the terminal's echo off", errno: errno)
        }
        defer { tcsetattr(terminal, TCSAFLUSH, &saved) }
        DescriptorWriter.writeIgnoringFailure(Array(text.utf8), to: terminal)
        return try read(terminal, untilNewline: true, dropsNewline: true)
    }
}
