import CNats
import StoreBasics

/// A message that was read from the stream, with the sequence number that the servers gave it.
package struct StreamMessage: Sendable, Hashable {
    /// The sequence number among all messages of the stream.
    package let streamSequence: UInt64
    package let identity: MessageIdentity
    package let bytes: [UInt8]
}

/// The headers of a message, outside its sealed bytes. The servers may change the headers, so the headers only decide
/// which messages the agent fetches and when it stops publishing.
package struct MessageIdentity: Sendable, Hashable {
    static let sequenceHeader = "Ghoststore-Sequence"
    static let identifierHeader = "Nats-Msg-Id"

    /// The number of the message in its channel, from 1; 0 if the header is missing or invalid.
    package let sequence: UInt64
    package let identifier: String

    /// Creates the headers of a message. The identifier contains the end of the message, which is its signature or tag.
    /// The servers drop a message whose identifier already exists, so no other publisher must be able to use the
    /// identifier first.
    package init(channel: String, sequence: UInt64, bytes: [UInt8]) {
        self.sequence = sequence
        identifier = "\(channel)/\(sequence)/\(Hexadecimal.encode(Array(bytes.suffix(Self.tailBytes))))"
    }

    static let tailBytes = 16

    init(of message: OpaquePointer) {
        sequence = Self.header(Self.sequenceHeader, of: message).flatMap { UInt64($0) } ?? 0
        identifier = Self.header(Self.identifierHeader, of: message) ?? ""
    }

    private static func header(_ name: String, of message: OpaquePointer) -> String? {
        var value: UnsafePointer<CChar>?
        guard natsMsgHeader_Get(message, name, &value) == NATS_OK, let value else { return nil }
        return String(cString: value)
    }
}

/// Returns the payload of a libnats message.
func payload(of message: OpaquePointer) -> [UInt8] {
    let count = Int(natsMsg_GetDataLength(message))
    guard count > 0, let start = natsMsg_GetData(message) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
}
