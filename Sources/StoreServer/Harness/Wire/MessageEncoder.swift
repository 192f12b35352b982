import NIOCore
import StoreEngine
import StoreProtocol

/// Writes messages as protobuf from where SQLite holds them: no values in between, no protobuf types. The bytes are
/// those of swift-protobuf; a test compares them.
enum MessageEncoder {
    static func append(_ head: ResponseHead, _ message: BorrowedMessage, to buffer: inout ByteBuffer) {
        FrameWriter.append(head, .message, resultBytes: size(of: message), to: &buffer) { writer in
            write(message, to: &writer)
        }
    }

    /// Bytes of the message without tag and length.
    static func size(of message: BorrowedMessage) -> Int {
        var size = textSize(1, message.id)
        size += textSize(2, message.conversationID)
        size += textSize(3, message.text)
        size += textSize(4, message.senderSessionID)
        size += textSize(5, message.recipientSessionID)
        size += integerSize(6, message.timestampMicroseconds)
        size += integerSize(7, message.status)
        size += message.isOutgoing ? 2 : 0
        size += message.isRead ? 2 : 0
        size += optionalSize(10, message.attachmentURL)
        size += optionalSize(11, message.attachmentType)
        size += optionalSize(12, message.replyToMessageID)
        size += integerSize(13, message.createdAtMicroseconds)
        if let editedAt = message.editedAtMicroseconds {
            size += ProtobufSize.varintField(14, UInt64(bitPattern: editedAt))
        }
        if let reactions = message.reactions {
            for counted in reactions {
                size += ProtobufSize.bytesField(15, count: Self.size(of: counted))
            }
        }
        if let timer = message.timer {
            size += ProtobufSize.bytesField(16, count: Self.size(of: timer))
        }
        if let expiresAt = message.expiresAtMicroseconds {
            size += ProtobufSize.varintField(17, UInt64(bitPattern: expiresAt))
        }
        for attachment in message.attachments {
            size += ProtobufSize.bytesField(18, count: AttachmentEncoder.size(of: attachment))
        }
        return size
    }

    private static func size(of counted: BorrowedReactions.Counted) -> Int {
        textSize(1, counted.emoji) + integerSize(2, Int64(counted.count))
    }

    private static func size(of timer: MessageTimer) -> Int {
        integerSize(1, Int64(timer.lifetime.milliseconds)) + integerSize(2, Int64(timer.start.rawValue))
    }

    static func write(_ message: BorrowedMessage, to writer: inout ProtobufWriter) {
        writeText(1, message.id, to: &writer)
        writeText(2, message.conversationID, to: &writer)
        writeText(3, message.text, to: &writer)
        writeText(4, message.senderSessionID, to: &writer)
        writeText(5, message.recipientSessionID, to: &writer)
        writeInteger(6, message.timestampMicroseconds, to: &writer)
        writeInteger(7, message.status, to: &writer)
        writeInteger(8, message.isOutgoing ? 1 : 0, to: &writer)
        writeInteger(9, message.isRead ? 1 : 0, to: &writer)
        if let url = message.attachmentURL {
            writer.bytesField(10, url)
        }
        if let type = message.attachmentType {
            writer.bytesField(11, type)
        }
        if let id = message.replyToMessageID {
            writer.bytesField(12, id)
        }
        writeInteger(13, message.createdAtMicroseconds, to: &writer)
        if let editedAt = message.editedAtMicroseconds {
            writer.varintField(14, UInt64(bitPattern: editedAt))
        }
        if let reactions = message.reactions {
            for counted in reactions {
                writer.startBytesField(15, count: size(of: counted))
                writeText(1, counted.emoji, to: &writer)
                writeInteger(2, Int64(counted.count), to: &writer)
            }
        }
        if let timer = message.timer {
            writer.startBytesField(16, count: size(of: timer))
            writeInteger(1, Int64(timer.lifetime.milliseconds), to: &writer)
            writeInteger(2, Int64(timer.start.rawValue), to: &writer)
        }
        if let expiresAt = message.expiresAtMicroseconds {
            writer.varintField(17, UInt64(bitPattern: expiresAt))
        }
        for attachment in message.attachments {
            writer.startBytesField(18, count: AttachmentEncoder.size(of: attachment))
            AttachmentEncoder.write(attachment, to: &writer)
        }
    }
}

/// Writes a page of messages behind what a buffer holds, message by message. How long the frame is shows at the end:
/// its messages are written behind room for the header of a usual page, and moved where that has another length.
struct MessagePageWriter {
    private static let resultNumber = ResultField.messages.rawValue
    /// From here to 128 times as many, their number takes three bytes.
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

    /// Frame length, id, more, and the result's tag and length.
    private static func headerBytes(_ head: ResponseHead, resultBytes: Int) -> Int {
        let fieldBytes = ProtobufSize.bytesField(resultNumber, count: resultBytes)
        return FrameLimits.headerBytes + head.byteCount + fieldBytes - resultBytes
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
            precondition(writer.isFull, "an encoded header must have the computed size")
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
            precondition(writer.isFull, "an encoded message must have the computed size")
            return count
        }
    }
}

// Fields with explicit presence: the default value is written when it is set.

@inline(__always)
private func optionalSize(_ number: UInt32, _ text: UnsafeRawBufferPointer?) -> Int {
    text.map { ProtobufSize.bytesField(number, count: $0.count) } ?? 0
}
