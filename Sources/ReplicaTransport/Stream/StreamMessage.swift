import CNats
import StoreBasics

/// A message as the stream keeps it.
package struct StreamMessage: Sendable, Hashable {
    /// Its place among all messages of the stream.
    package let streamSequence: UInt64
    package let identity: MessageIdentity
    package let bytes: [UInt8]
}

/// What is said of a message outside of its sealed bytes. The servers may say what they like: nothing is decided by it
/// but where to read and when to stop.
package struct MessageIdentity: Sendable, Hashable {
    static let sequenceHeader = "Ghoststore-Sequence"
    static let identifierHeader = "Nats-Msg-Id"

    /// Its number in its channel, from 1; 0 where none is said that makes sense.
    package let sequence: UInt64
    package let identifier: String

    /// The end of a message, where its signature or tag stands, is in its identifier: the servers drop what has an
    /// identifier that was there, so nobody may be able to use it up beforehand.
    package init(channel: String, sequence: UInt64, bytes: [UInt8]) {
        self.sequence = sequence
        identifier = "\(channel)/\(sequence)/\(Hexadecimal.encode(Array(bytes.suffix(Self.tailBytes))))"
    }

    private static let tailBytes = 16

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

/// The payload of a message of libnats.
func payload(of message: OpaquePointer) -> [UInt8] {
    let count = Int(natsMsg_GetDataLength(message))
    guard count > 0, let start = natsMsg_GetData(message) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
}
