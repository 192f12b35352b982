import NIOCore
import StoreEngine
import StoreProtocol

/// A page of found messages as protobuf. Each message is encoded directly from SQLite's memory. swift-protobuf would
/// write the same bytes; a test compares them.
struct FoundPage: Sendable {
    private var bytes = ByteBuffer()

    mutating func append(_ found: FoundMessage) {
        let count = found.protobufSize
        bytes.write(ProtobufSize.bytesField(1, count: count)) { writer in
            writer.startBytesField(1, count: count)
            found.write(to: &writer)
        }
    }

    mutating func finish(_ end: MessagePageEnd?) {
        let last = end?.last?.text
        let hasMore = end?.hasMore ?? false
        bytes.write(ProtobufSize.field(2, last) + ProtobufSize.field(3, hasMore)) { writer in
            writer.field(2, last)
            writer.field(3, hasMore)
        }
    }

    /// Writes the frame of a finished page.
    func append(_ head: ResponseHead, to buffer: inout ByteBuffer) {
        FrameWriter.append(head, .foundMessages, resultBytes: bytes.readableBytes, to: &buffer) { writer in
            bytes.withUnsafeReadableBytes { writer.append($0) }
        }
    }
}
