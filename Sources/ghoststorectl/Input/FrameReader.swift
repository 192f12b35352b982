import Glibc
import StoreClient

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
            guard case .payload(let range) = try Framing.parse(buffer) else {
                return nil
            }
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
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                buffer.append(contentsOf: chunk[..<count])
                return count > 0
            }
            guard errno == EINTR else {
                throw CommandFailure(.inputOutput, "cannot read the input: \(SystemMessage.text(for: errno))")
            }
        }
    }
}
