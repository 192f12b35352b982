/// A model of how the CacheAdvance library updates its file, step by step, with a reading and a writing position.
/// `CacheAdvanceFile` computes the result directly and must produce the same bytes.
struct FollowedFile {
    let maximumBytes: Int
    let overwrites: Bool
    private(set) var bytes: [UInt8]
    private var reader = 64
    private var writer = 64

    init(maximumBytes: Int, overwrites: Bool) {
        self.maximumBytes = maximumBytes
        self.overwrites = overwrites
        bytes = [1] + Self.number(maximumBytes, 8) + [overwrites ? 1 : 0]
        bytes += Self.number(64, 8) + Self.number(64, 8) + [UInt8](repeating: 0, count: 38)
    }

    enum Outcome { case written, largerThanCapacity, largerThanRemaining }

    mutating func append(_ message: [UInt8]) -> Outcome {
        let stored = Self.number(message.count, 4) + message
        guard stored.count <= maximumBytes - 64 else { return .largerThanCapacity }
        let hasRoom = writer + stored.count <= maximumBytes
        guard overwrites else {
            guard hasRoom else { return .largerThanRemaining }
            write(stored)
            return .written
        }
        if !hasRoom {
            bytes.removeLast(bytes.count - writer)
            writer = 64
            reader = 64
            readOn()
        }
        while writer < reader, writer + stored.count >= reader {
            readOn()
        }
        bytes.replaceSubrange(10..<18, with: Self.number(reader, 8))
        write(stored)
        return .written
    }

    /// Moves the reading position to the next message, or from the end of the file to the first message after the
    /// header.
    private mutating func readOn() {
        guard reader < bytes.count else {
            reader = 64
            return
        }
        reader += 4 + bytes[reader..<(reader + 4)].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func write(_ stored: [UInt8]) {
        bytes.replaceSubrange(writer..<min(bytes.count, writer + stored.count), with: stored)
        writer += stored.count
        bytes.replaceSubrange(18..<26, with: Self.number(writer, 8))
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
