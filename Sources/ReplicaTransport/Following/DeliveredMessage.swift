import CNats

/// A delivered message that must be acknowledged or delayed.
///
/// @unchecked Sendable because the message of libnats is not changed any more, and is acknowledged only on its
/// follower's queue.
package final class DeliveredMessage: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Kept alive, because the message points to the follower's subscription.
    private let follower: SubjectFollower
    package let identity: MessageIdentity
    package let streamSequence: UInt64
    /// The number of deliveries of this message, including this one.
    package let deliveries: UInt64
    /// The number of later messages of the subject that are not delivered yet.
    package let pending: UInt64
    package let byteCount: Int

    init(owning pointer: OpaquePointer, of follower: SubjectFollower) {
        self.pointer = pointer
        self.follower = follower
        identity = MessageIdentity(of: pointer)
        byteCount = max(0, Int(natsMsg_GetDataLength(pointer)))
        var details: UnsafeMutablePointer<jsMsgMetaData>?
        let isKnown = natsMsg_GetMetaData(&details, pointer) == NATS_OK
        streamSequence = isKnown ? details?.pointee.Sequence.Stream ?? 0 : 0
        deliveries = isKnown ? details?.pointee.NumDelivered ?? 1 : 1
        pending = isKnown ? details?.pointee.NumPending ?? 0 : 0
        jsMsgMetaData_Destroy(details)
    }

    deinit {
        natsMsg_Destroy(pointer)
    }

    /// A copy of the message's bytes.
    package var bytes: [UInt8] {
        payload(of: pointer)
    }
}
