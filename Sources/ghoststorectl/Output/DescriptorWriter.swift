import Glibc
import StoreBasics

/// A buffered writer to a descriptor. Only one task at a time uses it. That task must call `flush` before the process
/// ends.
final class DescriptorWriter {
    /// The number of buffered bytes from which the buffer is written to the descriptor.
    private static let bufferBytes = 64 << 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// True if the descriptor is a pipe and the program runs `ghoststorectl shell`. A write then waits for the reader
    /// of the pipe in such a way that Ctrl-C ends the wait.
    private let isWaitedFor: Bool

    init(descriptor: Int32) {
        self.descriptor = descriptor
        var facts = stat()
        isWaitedFor =
            ShellInterrupts.areHeeded && fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
        buffer.reserveCapacity(Self.bufferBytes)
    }

    func write(_ text: String) throws(CommandFailure) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.bufferBytes {
            try flush()
        }
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        guard bytes.count < Self.bufferBytes else {
            try flush()
            return try write(through: bytes)
        }
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferBytes {
            try flush()
        }
    }

    func flush() throws(CommandFailure) {
        try write(through: buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    private func write(through bytes: [UInt8]) throws(CommandFailure) {
        guard isWaitedFor else { return try writeAtOnce(bytes) }
        var rest = bytes[...]
        while !rest.isEmpty {
            try ShellInterrupts.wait(for: descriptor, POLLOUT)
            // A writable pipe has room for at least this many bytes (pipe(7)).
            try writeAtOnce(Array(rest.prefix(Int(PIPE_BUF))))
            rest = rest.dropFirst(Int(PIPE_BUF))
        }
    }

    private func writeAtOnce(_ bytes: [UInt8]) throws(CommandFailure) {
        do throws(SystemError) {
            try FileDescriptorCalls.write(descriptor, bytes)
        } catch {
            throw error.number == EPIPE
                ? .brokenPipe : CommandFailure(.inputOutput, "cannot write the output: \(error)")
        }
    }
}
