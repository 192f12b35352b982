import StoreBasics

/// Encodes a blob file piece by piece: first the message count, then each message, appended to the caller's output.
package struct BlobEncoder: Sendable {
    private var messagesLeft: Int

    /// Begins a file with its message count.
    ///
    /// - Parameter messageCount: 0 to `BlobLayout.messagesMax`; exactly this number of messages must follow.
    package init(messageCount: Int, to output: inout [UInt8]) {
        precondition((0...BlobLayout.messagesMax).contains(messageCount), "a file must have at most 2^31 - 1 messages")
        messagesLeft = messageCount
        output.append(littleEndian: Int32(messageCount))
    }

    /// True if all counted messages have been written.
    package var isComplete: Bool { messagesLeft == 0 }

    package mutating func append(_ message: BlobMessage, to output: inout [UInt8]) {
        precondition(messagesLeft > 0, "a file must not have more messages than its message count")
        messagesLeft -= 1
        var text = message.text
        text.withUTF8 { utf8 in
            precondition(utf8.count <= Int(Int32.max), "a text must have at most 2^31 - 1 bytes")
            output.reserveCapacity(output.count + BlobLayout.messageBytesMin + utf8.count)
            output.append(littleEndian: Int32(utf8.count))
            output.append(contentsOf: utf8)
        }
        output.append(message.isSent ? 1 : 0)
        output.append(message.type.rawValue)
        output.append(littleEndian: message.timestampMilliseconds)
    }

    /// Encodes a whole file at once.
    package static func encode(_ messages: [BlobMessage]) -> [UInt8] {
        var output: [UInt8] = []
        var encoder = BlobEncoder(messageCount: messages.count, to: &output)
        for message in messages {
            encoder.append(message, to: &output)
        }
        return output
    }
}
