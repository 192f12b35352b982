import CNats

/// A message that was delivered, and is to be settled.
///
/// Sendable, because the message of libnats is not changed any more, and is settled on its follower's queue alone.
package final class DeliveredMessage: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Held, because the message points to its subscription.
    private let follower: SubjectFollower
    package let identity: MessageIdentity
    package let streamSequence: UInt64
    /// How often it was delivered, this time included.
    package let deliveries: UInt64
    /// Messages of the subject that are still to be delivered behind it.
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

    /// A copy.
    package var bytes: [UInt8] {
        payload(of: pointer)
    }
}
