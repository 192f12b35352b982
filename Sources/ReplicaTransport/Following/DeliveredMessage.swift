import CNats

/// A delivered message that must be acknowledged or delayed.
package struct DeliveredMessage: Sendable {
    private enum Content: Sendable {
        case library(LibraryMessage)
        case file([UInt8])
    }

    package let identity: MessageIdentity
    package let streamSequence: UInt64
    /// The number of deliveries of this message, including this one.
    package let deliveries: UInt64
    /// The number of later messages of the channel that are not delivered yet.
    package let pending: UInt64
    package let byteCount: Int
    private let content: Content

    /// The message of libnats; `nil` for a message from a folder.
    var library: LibraryMessage? {
        if case .library(let message) = content { message } else { nil }
    }

    /// A copy of the message's bytes.
    package var bytes: [UInt8] {
        switch content {
        case .library(let message): payload(of: message.pointer)
        case .file(let bytes): bytes
        }
    }

    init(owning pointer: OpaquePointer, of follower: SubjectFollower) {
        content = .library(LibraryMessage(owning: pointer, of: follower))
        identity = MessageIdentity(of: pointer)
        byteCount = max(0, Int(natsMsg_GetDataLength(pointer)))
        var details: UnsafeMutablePointer<jsMsgMetaData>?
        let isKnown = natsMsg_GetMetaData(&details, pointer) == NATS_OK
        streamSequence = isKnown ? details?.pointee.Sequence.Stream ?? 0 : 0
        deliveries = isKnown ? details?.pointee.NumDelivered ?? 1 : 1
        pending = isKnown ? details?.pointee.NumPending ?? 0 : 0
        jsMsgMetaData_Destroy(details)
    }

    init(_ message: StreamMessage, pending: Int) {
        content = .file(message.bytes)
        identity = message.identity
        byteCount = message.bytes.count
        streamSequence = message.streamSequence
        deliveries = 1
        self.pending = UInt64(pending)
    }
}

/// A delivered message of libnats.
///
/// @unchecked Sendable because the message of libnats is not changed any more, and is acknowledged only on its
/// follower's queue.
final class LibraryMessage: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Kept alive, because the message points to the follower's subscription.
    private let follower: SubjectFollower

    init(owning pointer: OpaquePointer, of follower: SubjectFollower) {
        self.pointer = pointer
        self.follower = follower
    }

    deinit {
        natsMsg_Destroy(pointer)
    }
}
