import Glibc
import StoreBasics

/// Buffered writing to a descriptor. Used from one task at a time; `flush` before the process ends.
final class DescriptorWriter {
    /// Bytes gathered before a write.
    private static let bufferBytes = 64 << 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(descriptor: Int32) {
        self.descriptor = descriptor
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
        do throws(SystemError) {
            try FileDescriptorCalls.write(descriptor, bytes)
        } catch {
            throw error.number == EPIPE
                ? .brokenPipe : CommandFailure(.inputOutput, "cannot write the output: \(error)")
        }
    }
}
