package import ReplicaModel

/// Asks for the messages of a channel behind a place.
package struct ReplicaTake: Sendable {
    package var channel: ReplicaChannel
    /// Those up to this one are in the group's log, durably: the store forgets them.
    package var storedThrough: UInt64
    /// Messages are added as long as they fit; the first always does.
    package var bytesMax: Int

    package init(channel: ReplicaChannel, storedThrough: UInt64, bytesMax: Int) {
        self.channel = channel
        self.storedThrough = storedThrough
        self.bytesMax = bytesMax
    }
}

/// A message of the group's log, as it came.
package struct ReplicaMessage: Hashable, Sendable {
    package var channel: ReplicaChannel
    package var bytes: [UInt8]
    /// The log keeps none of this channel that is older.
    package var isOldestKept: Bool

    package init(channel: ReplicaChannel, bytes: [UInt8], isOldestKept: Bool) {
        self.channel = channel
        self.bytes = bytes
        self.isOldestKept = isOldestKept
    }
}

/// A message for the group's log.
package struct ReplicaOutgoing: Hashable, Sendable {
    package var sequence: UInt64
    package var bytes: [UInt8]
}

/// What became of a message of the log.
package enum ReplicaHandedIn: Hashable, Sendable {
    /// What it says is in the store, durably, or was before.
    case merged(nextSequence: UInt64)
    /// To be handed in again later, behind others.
    case waits(ReplicaWait)
    /// Never to be handed in again.
    case refused(ReplicaRefusal)
}

/// What a message waits for.
package enum ReplicaWait: Hashable, Sendable {
    /// No message has told of its device yet.
    case deviceUnknown
    /// No message has told of the key it is sealed with yet.
    case epochUnknown
    /// The message with this sequence, which comes before it.
    case earlierMessage(sequence: UInt64)
    /// Messages before it are gone, and a snapshot was asked for.
    case snapshot
    /// A later version of this program, which knows what it holds.
    case laterVersion
    /// The clock: it was made years ahead of it.
    case timeAhead
    /// The store to have joined.
    case membership
}

/// Why a message is refused. The raw values are kept at rest.
package enum ReplicaRefusal: String, Hashable, Sendable, CaseIterable {
    /// It is no message, or cut off, or holds what no store can have written.
    case malformed = "malformed"
    /// It was not signed by its device.
    case forged = "forged"
    /// It is of another group.
    case otherGroup = "otherGroup"
    /// It was published as one of another channel.
    case otherChannel = "otherChannel"
    /// Its device has made two different messages with one sequence: its store was copied.
    case forked = "forked"
    /// The key that it names does not open it.
    case notOpened = "notOpened"
    /// Its device was removed from the group before it made it.
    case deviceRemoved = "deviceRemoved"
    /// The invitation is over, used, or none that was given here.
    case invitationOver = "invitationOver"
    /// Nobody here waits for it.
    case notAwaited = "notAwaited"
}
