package import ReplicaModel

/// A request for the messages of a channel that follow a sequence.
package struct OutgoingRequest: Sendable {
    package var channel: ReplicaChannel
    /// The sequence up to which the stream has the messages of the channel durably. The store deletes these messages.
    package var storedThrough: UInt64
    /// The most bytes of the messages that are returned together. The first message is returned even if it is larger.
    package var bytesMax: Int

    package init(channel: ReplicaChannel, storedThrough: UInt64, bytesMax: Int) {
        self.channel = channel
        self.storedThrough = storedThrough
        self.bytesMax = bytesMax
    }
}

/// A message of the group's stream, as it was received.
package struct ReplicaMessage: Hashable, Sendable {
    package var channel: ReplicaChannel
    package var bytes: [UInt8]
    /// True if the stream has no older message of this channel.
    package var isOldestKept: Bool

    package init(channel: ReplicaChannel, bytes: [UInt8], isOldestKept: Bool) {
        self.channel = channel
        self.bytes = bytes
        self.isOldestKept = isOldestKept
    }
}

/// A sealed message that the agent publishes to the group's stream.
package struct ReplicaOutgoing: Hashable, Sendable {
    package var sequence: UInt64
    package var bytes: [UInt8]
}

/// The result of handing in a message of the stream.
package enum ReplicaHandedIn: Hashable, Sendable {
    /// The content of the message is durable in the store.
    case merged(nextSequence: UInt64)
    /// The agent hands the message in again later, after other messages.
    case waits(ReplicaWait)
    /// The message must not be handed in again.
    case refused(ReplicaRefusal)
}

/// The reason for which a message cannot be merged yet.
package enum ReplicaWait: Hashable, Sendable {
    /// The keys of the message's device are not published yet.
    case deviceUnknown
    /// The key of the message's epoch is not published yet.
    case epochUnknown
    /// An earlier message, with this sequence, has to be merged first.
    case earlierMessage(sequence: UInt64)
    /// The device of the batch had merged another device's batch, which this store has not merged yet.
    case otherBatch
    /// Earlier messages are lost, and a snapshot was requested.
    case snapshot
    /// Only a later version of this program can read the message's content.
    case laterVersion
    /// The stamps of the message's records are years ahead of this store's clock.
    case timeAhead
    /// The store has not joined its group yet.
    case membership
}

/// The reason why a message is refused. The raw values are stored on disk.
package enum ReplicaRefusal: String, Hashable, Sendable, CaseIterable {
    /// The bytes are no message, are truncated, or contain what no store can have written.
    case malformed = "malformed"
    /// The signature of the message's device is not valid.
    case forged = "forged"
    /// The message belongs to another group.
    case otherGroup = "otherGroup"
    /// The message was published in a channel that does not match its header.
    case otherChannel = "otherChannel"
    /// The message's device has made two different messages with one sequence, so a copy of its store exists.
    case forked = "forked"
    /// The key of the message's epoch does not open the message.
    case notOpened = "notOpened"
    /// A device made the message after the group had removed the device.
    case deviceRemoved = "deviceRemoved"
    /// The invitation has expired, was used, or was not given by this store.
    case invitationOver = "invitationOver"
    /// This store does not expect the message, for example a welcome or a snapshot that it has not requested.
    case notAwaited = "notAwaited"
}
