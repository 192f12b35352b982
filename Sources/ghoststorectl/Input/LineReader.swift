import Glibc

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

    init(descriptor: Int32) {
        self.descriptor = descriptor
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

    private func take(upTo end: Int, skipping newlineBytes: Int) -> [UInt8] {
        var line = buffer[start..<end]
        bytesRead += UInt64(end - start + newlineBytes)
        lineNumber += 1
        start = end + newlineBytes
        if line.last == UInt8(ascii: "\r") {
            line.removeLast()
        }
        return Array(line)
    }

    private func fill() throws(CommandFailure) {
        buffer.removeFirst(start)
        start = 0
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            buffer.append(contentsOf: chunk[..<count])
        } else if count == 0 {
            isAtEnd = true
        } else if errno != EINTR {
            throw CommandFailure(.inputOutput, "cannot read the input: \(SystemMessage.text(for: errno))")
        }
    }
}
