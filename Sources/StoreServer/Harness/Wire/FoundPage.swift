import NIOCore
import StoreEngine
import StoreProtocol

/// A page of found messages as protobuf, written message by message from where SQLite holds them. The bytes are those
/// of swift-protobuf; a test compares them.
struct FoundPage: Sendable {
    private var bytes = ByteBuffer()

    mutating func append(_ found: FoundMessage) {
        let messageBytes = MessageEncoder.size(of: found.message)
        let count = Self.size(of: found, messageBytes: messageBytes)
        write(ProtobufSize.bytesField(1, count: count)) { writer in
            writer.startBytesField(1, count: count)
            writer.startBytesField(1, count: messageBytes)
            MessageEncoder.write(found.message, to: &writer)
            writeText(2, found.snippetText, to: &writer)
            writeInteger(3, Int64(found.snippet.range.lowerBound), to: &writer)
            for match in found.snippet.matches {
                writer.startBytesField(4, count: Self.size(of: match))
                writeInteger(1, Int64(match.lowerBound), to: &writer)
                writeInteger(2, Int64(match.count), to: &writer)
            }
        }
    }

    /// - Parameter messageBytes: of its message.
    private static func size(of found: FoundMessage, messageBytes: Int) -> Int {
        var size = ProtobufSize.bytesField(1, count: messageBytes)
        size += textSize(2, found.snippetText)
        size += integerSize(3, Int64(found.snippet.range.lowerBound))
        for match in found.snippet.matches {
            size += ProtobufSize.bytesField(4, count: Self.size(of: match))
        }
        return size
    }

    private static func size(of match: Range<Int>) -> Int {
        integerSize(1, Int64(match.lowerBound)) + integerSize(2, Int64(match.count))
    }

    mutating func finish(_ end: MessagePageEnd?) {
        let last = end?.last?.text ?? ""
        let hasMore: Int64 = end?.hasMore ?? false ? 1 : 0
        write(textSize(2, last) + integerSize(3, hasMore)) { writer in
            writeText(2, last, to: &writer)
            writeInteger(3, hasMore, to: &writer)
        }
    }

    private mutating func write(_ count: Int, body: (inout ProtobufWriter) -> Void) {
        guard count > 0 else { return }
        bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            var writer = ProtobufWriter(UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
            body(&writer)
            precondition(writer.isFull, "the encoded search result must have the computed size")
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
