internal import NIOCore
internal import StoreEngine
internal import StoreProtocol

/// Writes messages as protobuf from where SQLite holds them: no values in between, no protobuf types. The bytes are
/// those of swift-protobuf; a test compares them.
enum MessageEncoder {
    static func append(_ head: ResponseHead, _ message: BorrowedMessage, to buffer: inout ByteBuffer) {
        FrameWriter.append(head, result: 122, resultBytes: size(of: message), to: &buffer) { writer in
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
        return size
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
    }
}

// Fields with proto3's implicit presence: nothing is written for the default value.

@inline(__always)
private func textSize(_ number: UInt32, _ text: UnsafeRawBufferPointer) -> Int {
    text.isEmpty ? 0 : ProtobufSize.bytesField(number, count: text.count)
}

@inline(__always)
private func writeText(_ number: UInt32, _ text: UnsafeRawBufferPointer, to writer: inout ProtobufWriter) {
    if !text.isEmpty {
        writer.bytesField(number, text)
    }
}

// Fields with explicit presence: the default value is written when it is set.

@inline(__always)
private func optionalSize(_ number: UInt32, _ text: UnsafeRawBufferPointer?) -> Int {
    text.map { ProtobufSize.bytesField(number, count: $0.count) } ?? 0
}
