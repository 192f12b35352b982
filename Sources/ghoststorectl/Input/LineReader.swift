import Glibc
import StoreBasics
import StoreClient

/// Reads the lines of a descriptor one at a time, so that the file may have any size. Only one task uses it.
final class LineReader {
    /// The largest line in bytes: a dialog of about sixty turns, each with the longest possible message.
    static let lineBytesMax = 64 << 20
    private static let chunkBytes = 256 << 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The number of lines read so far, which is the number of the last line.
    private(set) var lineNumber: UInt64 = 0
    /// The number of bytes in the lines read so far, including their newlines.
    private(set) var bytesRead: UInt64 = 0

    private let keepsCarriageReturns: Bool

    /// - Parameter keepsCarriageReturns: True to treat a carriage return before a newline as part of the line.
    init(descriptor: Int32, keepsCarriageReturns: Bool = false) {
        self.descriptor = descriptor
        self.keepsCarriageReturns = keepsCarriageReturns
    }

    /// Returns the next line without its newline (or carriage return and newline); `nil` at the end.
    func next() throws(CommandFailure) -> [UInt8]? {
        var searched = start
        while true {
            if let newline = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return consumeLine(upTo: newline, skipping: 1)
            }
            searched = buffer.count
            if isAtEnd {
                return start < buffer.count ? consumeLine(upTo: buffer.count, skipping: 0) : nil
            }
            guard buffer.count - start <= Self.lineBytesMax else {
                throw CommandFailure(
                    .badData, "line \(lineNumber + 1) is longer than \(Quantity.bytes(UInt64(Self.lineBytesMax)))")
            }
            searched -= start
            try fill()
        }
    }

    /// Discards the bytes that were read and not returned.
    func discard() {
        (buffer, start) = ([], 0)
    }

    private func consumeLine(upTo end: Int, skipping newlineBytes: Int) -> [UInt8] {
        var line = buffer[start..<end]
        bytesRead += UInt64(end - start + newlineBytes)
        lineNumber += 1
        start = end + newlineBytes
        if !keepsCarriageReturns, line.last == UInt8(ascii: "\r") {
            line.removeLast()
        }
        return Array(line)
    }

    private func fill() throws(CommandFailure) {
        buffer.removeFirst(start)
        start = 0
        while true {
            try ShellInterrupts.wait(for: descriptor)
            do throws(SystemError) {
                isAtEnd = try !FileDescriptorCalls.readSome(descriptor, appendingTo: &buffer, bytesMax: Self.chunkBytes)
                return
            } catch {
                guard error.number == EAGAIN else {
                    throw CommandFailure(.inputOutput, "cannot read the input: \(error)")
                }
                // Ctrl-C can discard a terminal's input between the wait and the read. Outside of a shell nothing has
                // waited yet, and another program may have made the descriptor one that does not block.
                try ShellInterrupts.waitForKeys(at: descriptor)
            }
        }
    }
}

/// Reads the frames of a descriptor one at a time. Only one task uses it.
final class FrameReader {
    private static let chunkBytes = 64 << 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// The number of frames read so far, which is the number of the last frame.
    private(set) var frameNumber = 0

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Returns the payload of the next frame; `nil` at the end.
    func next() throws(CommandFailure) -> [UInt8]? {
        while true {
            if let payload = try consumeFrame() {
                return payload
            }
            guard try fill() else {
                guard buffer.isEmpty else {
                    throw CommandFailure(.badData, "the input ends inside frame \(frameNumber + 1)")
                }
                return nil
            }
        }
    }

    private func consumeFrame() throws(CommandFailure) -> [UInt8]? {
        do throws(StoreClientError) {
            guard let range = try ResponseJSON.payload(in: buffer) else { return nil }
            let payload = Array(buffer[range])
            buffer.removeFirst(range.upperBound)
            frameNumber += 1
            return payload
        } catch {
            throw CommandFailure(.badData, "frame \(frameNumber + 1): \(error.message)")
        }
    }

    /// - Returns: False at the end of the input.
    private func fill() throws(CommandFailure) -> Bool {
        do throws(SystemError) {
            return try FileDescriptorCalls.readSome(descriptor, appendingTo: &buffer, bytesMax: Self.chunkBytes)
        } catch {
            throw CommandFailure(.inputOutput, "cannot read the input: \(error)")
        }
    }
}
