import StoreBasics
import StoreClient

/// Lines of a descriptor, one at a time, whatever the file's size. Used from one task.
final class LineReader {
    /// Bytes of the longest line: a dialog of some sixty turns as long as a message can be.
    static let lineBytesMax = 64 << 20
    private static let chunkBytes = 256 << 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// Lines read so far: the number of the last one, counted from 1.
    private(set) var lineNumber: UInt64 = 0
    /// Bytes of the lines read so far, their newlines included.
    private(set) var bytesRead: UInt64 = 0

    private let keepsCarriageReturns: Bool

    /// - Parameter keepsCarriageReturns: takes a carriage return before a newline as part of the line.
    init(descriptor: Int32, keepsCarriageReturns: Bool = false) {
        self.descriptor = descriptor
        self.keepsCarriageReturns = keepsCarriageReturns
    }

    /// The next line without its newline (or carriage return and newline); `nil` at the end.
    func next() throws(CommandFailure) -> [UInt8]? {
        var searched = start
        while true {
            if let newline = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return take(upTo: newline, skipping: 1)
            }
            searched = buffer.count
            if isAtEnd {
                return start < buffer.count ? take(upTo: buffer.count, skipping: 0) : nil
            }
            guard buffer.count - start <= Self.lineBytesMax else {
                throw CommandFailure(
                    .badData, "line \(lineNumber + 1) is longer than \(Quantity.bytes(UInt64(Self.lineBytesMax)))")
            }
            searched -= start
            try fill()
        }
    }

    /// Drops what was read and not returned.
    func discard() {
        (buffer, start) = ([], 0)
    }

    private func take(upTo end: Int, skipping newlineBytes: Int) -> [UInt8] {
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
        try ShellInterrupts.wait(for: descriptor)
        do throws(SystemError) {
            isAtEnd = try !FileDescriptorCalls.readSome(descriptor, appendingTo: &buffer, bytesMax: Self.chunkBytes)
        } catch {
            throw CommandFailure(.inputOutput, "cannot read the input: \(error)")
        }
    }
}

/// Frames of a descriptor, one at a time. Used from one task.
final class FrameReader {
    private static let chunkBytes = 64 << 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// Frames read so far: the number of the last one, counted from 1.
    private(set) var frameNumber = 0

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The next frame's payload; `nil` at the end.
    func next() throws(CommandFailure) -> [UInt8]? {
        while true {
            if let payload = try takeFrame() {
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

    private func takeFrame() throws(CommandFailure) -> [UInt8]? {
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

    /// - Returns: false at the end of the input.
    private func fill() throws(CommandFailure) -> Bool {
        do throws(SystemError) {
            return try FileDescriptorCalls.readSome(descriptor, appendingTo: &buffer, bytesMax: Self.chunkBytes)
        } catch {
            throw CommandFailure(.inputOutput, "cannot read the input: \(error)")
        }
    }
}
