import NIOCore
import StoreEngine
import StoreProtocol

/// Appends a page of messages to a buffer, message by message. The length of the frame is known only at the end. So
/// room is reserved for the header of a usual page, and the messages are moved if the header has another length.
struct MessagePageWriter {
    private static let resultNumber = ResultField.messages.rawValue
    /// The smallest result whose length takes three bytes, like the length of every larger result below 2 MiB. Room is
    /// reserved for such a length.
    private static let usualBytesMin = 1 << 14

    private let head: ResponseHead
    private let start: Int
    private let headroomBytes: Int
    private var messagesStart: Int { start + headroomBytes }

    init(_ head: ResponseHead, to buffer: inout ByteBuffer) {
        self.head = head
        start = buffer.writerIndex
        headroomBytes = Self.headerBytes(head, resultBytes: Self.usualBytesMin)
        buffer.writeRepeatingByte(0, count: headroomBytes)
    }

    /// Returns the size of the header: the frame's length, the ID, `more`, and the result's tag and length.
    private static func headerBytes(_ head: ResponseHead, resultBytes: Int) -> Int {
        let fieldBytes = ProtobufSize.bytesField(resultNumber, count: resultBytes)
        return FrameLimits.headerBytes + head.byteCount + fieldBytes - resultBytes
    }

    /// Returns the number of bytes of the messages written so far.
    func byteCount(_ buffer: ByteBuffer) -> Int {
        buffer.writerIndex - messagesStart
    }

    func append(_ message: BorrowedMessage, to buffer: inout ByteBuffer) {
        let messageBytes = message.protobufSize
        buffer.write(ProtobufSize.bytesField(1, count: messageBytes)) { writer in
            writer.startBytesField(1, count: messageBytes)
            message.write(to: &writer)
        }
    }

    /// Completes the frame: adds the cursors, and writes the header into the reserved room.
    func finish(_ end: MessagePageEnd, to buffer: inout ByteBuffer) {
        let (first, last) = (end.first?.text, end.last?.text)
        let tailBytes =
            ProtobufSize.field(2, first) + ProtobufSize.field(3, last) + ProtobufSize.field(4, end.hasMore)
        buffer.write(tailBytes) { writer in
            writer.field(2, first)
            writer.field(3, last)
            writer.field(4, end.hasMore)
        }
        let resultBytes = byteCount(buffer)
        let headerBytes = Self.headerBytes(head, resultBytes: resultBytes)
        let frameBytes = headerBytes + resultBytes
        if headerBytes > headroomBytes {
            buffer.writeRepeatingByte(0, count: headerBytes - headroomBytes)
        }
        let (start, headroomBytes, head) = (start, headroomBytes, head)
        buffer.withVeryUnsafeMutableBytes { bytes in
            let frame = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
            if headerBytes != headroomBytes {
                UnsafeMutableRawBufferPointer(rebasing: frame[headerBytes..<frameBytes]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: frame[headroomBytes..<(headroomBytes + resultBytes)]))
            }
            let payloadBytes = frameBytes - FrameLimits.headerBytes
            frame.storeBytes(of: UInt32(payloadBytes).bigEndian, as: UInt32.self)
            var writer = ProtobufWriter(
                UnsafeMutableRawBufferPointer(rebasing: frame[FrameLimits.headerBytes..<headerBytes]))
            head.write(to: &writer)
            writer.startBytesField(Self.resultNumber, count: resultBytes)
            precondition(writer.isFull, "a header must have the computed size")
        }
        buffer.moveWriterIndex(to: start + frameBytes)
    }

    /// Removes the page from the buffer.
    func cancel(_ buffer: inout ByteBuffer) {
        buffer.moveWriterIndex(to: start)
    }
}

extension ByteBuffer {
    /// Appends fields of a message.
    ///
    /// - Parameter count: The number of bytes of the fields.
    mutating func write(_ count: Int, _ fields: (inout ProtobufWriter) -> Void) {
        guard count > 0 else { return }
        writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            var writer = ProtobufWriter(UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
            fields(&writer)
            precondition(writer.isFull, "fields must have the computed size")
            return count
        }
    }
}
