internal import NIOCore
internal import StoreEngine
internal import StoreProtocol

/// Writes a page of messages behind what a buffer holds, message by message. How long the frame is shows at the end:
/// its messages are written behind some room, and moved up to the header that takes its place.
struct MessagePageWriter {
    private static let resultNumber: UInt32 = 123
    /// Frame length, id, more, and the result's tag and length at their longest.
    private static let headroomBytes = FrameLimits.headerBytes + 11 + 2 + 2 + 10

    private let head: ResponseHead
    private let start: Int
    private var messagesStart: Int { start + Self.headroomBytes }

    init(_ head: ResponseHead, to buffer: inout ByteBuffer) {
        self.head = head
        start = buffer.writerIndex
        buffer.writeRepeatingByte(0, count: Self.headroomBytes)
    }

    /// Bytes of the messages written so far.
    func byteCount(_ buffer: ByteBuffer) -> Int {
        buffer.writerIndex - messagesStart
    }

    func append(_ message: BorrowedMessage, to buffer: inout ByteBuffer) {
        let messageBytes = MessageEncoder.size(of: message)
        write(ProtobufSize.bytesField(1, count: messageBytes), to: &buffer) { writer in
            writer.startBytesField(1, count: messageBytes)
            MessageEncoder.write(message, to: &writer)
        }
    }

    /// Completes the frame.
    func finish(_ end: MessagePageEnd, to buffer: inout ByteBuffer) {
        let first = end.first?.text ?? ""
        let last = end.last?.text ?? ""
        let tailBytes = textSize(2, first) + textSize(3, last) + integerSize(4, end.hasMore ? 1 : 0)
        if tailBytes > 0 {
            write(tailBytes, to: &buffer) { writer in
                writeText(2, first, to: &writer)
                writeText(3, last, to: &writer)
                writeInteger(4, end.hasMore ? 1 : 0, to: &writer)
            }
        }
        let resultBytes = byteCount(buffer)
        let payloadBytes = head.byteCount + ProtobufSize.bytesField(Self.resultNumber, count: resultBytes)
        let frameBytes = FrameLimits.headerBytes + payloadBytes
        let headerBytes = frameBytes - resultBytes
        let (start, messagesStart, head) = (start, messagesStart, head)
        buffer.withVeryUnsafeMutableBytes { bytes in
            let frame = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(messagesStart + resultBytes)])
            UnsafeMutableRawBufferPointer(rebasing: frame[headerBytes..<frameBytes])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: frame[Self.headroomBytes...]))
            frame.storeBytes(of: UInt32(payloadBytes).bigEndian, as: UInt32.self)
            var writer = ProtobufWriter(
                UnsafeMutableRawBufferPointer(rebasing: frame[FrameLimits.headerBytes..<headerBytes]))
            head.write(to: &writer)
            writer.startBytesField(Self.resultNumber, count: resultBytes)
            precondition(writer.isFull, "a header has the size that was computed for it")
        }
        buffer.moveWriterIndex(to: start + frameBytes)
    }

    /// Takes back what was written.
    func cancel(_ buffer: inout ByteBuffer) {
        buffer.moveWriterIndex(to: start)
    }

    private func write(_ count: Int, to buffer: inout ByteBuffer, body: (inout ProtobufWriter) -> Void) {
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            var writer = ProtobufWriter(UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
            body(&writer)
            precondition(writer.isFull, "a message has the size that was computed for it")
            return count
        }
    }
}
