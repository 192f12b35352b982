import NIOCore
import StoreEngine
import StoreProtocol

/// A page of found messages as protobuf, written message by message from where SQLite holds them. The bytes are those
/// of swift-protobuf; a test compares them.
struct FoundPage: Sendable {
    private var bytes = ByteBuffer()

    mutating func append(_ found: FoundMessage) {
        let messageBytes = found.message.protobufSize
        let count = Self.size(of: found, messageBytes: messageBytes)
        write(ProtobufSize.bytesField(1, count: count)) { writer in
            writer.startBytesField(1, count: count)
            writer.startBytesField(1, count: messageBytes)
            found.message.write(to: &writer)
            writer.field(2, found.snippetText)
            writer.field(3, found.snippet.range.lowerBound)
            for match in found.snippet.matches {
                writer.startBytesField(4, count: Self.size(of: match))
                writer.field(1, match.lowerBound)
                writer.field(2, match.count)
            }
        }
    }

    /// - Parameter messageBytes: of its message.
    private static func size(of found: FoundMessage, messageBytes: Int) -> Int {
        var size = ProtobufSize.bytesField(1, count: messageBytes)
        size += ProtobufSize.field(2, found.snippetText)
        size += ProtobufSize.field(3, found.snippet.range.lowerBound)
        for match in found.snippet.matches {
            size += ProtobufSize.bytesField(4, count: Self.size(of: match))
        }
        return size
    }

    private static func size(of match: Range<Int>) -> Int {
        ProtobufSize.field(1, match.lowerBound) + ProtobufSize.field(2, match.count)
    }

    mutating func finish(_ end: MessagePageEnd?) {
        let last = end?.last?.text ?? ""
        let hasMore = end?.hasMore ?? false
        write(ProtobufSize.field(2, last) + ProtobufSize.field(3, hasMore)) { writer in
            writer.field(2, last)
            writer.field(3, hasMore)
        }
    }

    private mutating func write(_ count: Int, body: (inout ProtobufWriter) -> Void) {
        guard count > 0 else { return }
        bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            var writer = ProtobufWriter(UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
            body(&writer)
            precondition(writer.isFull, "a found message has the size that was computed for it")
            return count
        }
    }

    /// Writes the frame of a finished page.
    func append(_ head: ResponseHead, to buffer: inout ByteBuffer) {
        FrameWriter.append(head, .foundMessages, resultBytes: bytes.readableBytes, to: &buffer) { writer in
            bytes.withUnsafeReadableBytes { writer.append($0) }
        }
    }
}
