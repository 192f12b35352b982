import ReplicaModel
import StoreClient

/// The agent's requests to the daemon. The agent stores no positions of its own: all of them come from the daemon's
/// answers, so that the agent may be killed at any moment.
protocol ReplicaStore: Sendable {
    /// Returns this device's number, the channels to follow with their positions, and the channels to publish.
    func status() async throws -> ReplicaStoreStatus

    /// Returns the next sealed messages of a channel after a number, in order and without gaps. Waits if there are
    /// none. The messages up to `storedThrough` are durable in the stream, and the daemon may delete them.
    ///
    /// - Parameter limitBytes: the most bytes to return; at least one message is returned in any case.
    func outgoing(
        channel: ReplicaChannel, storedThrough: UInt64, limitBytes: Int, wait: Duration
    ) async throws -> [OutgoingMessage]

    /// Passes one message of a channel to the daemon. The answer comes after the result is durable.
    ///
    /// - Parameter isOldestKept: true if the stream no longer has the wanted messages before the passed message.
    func handIn(channel: ReplicaChannel, bytes: [UInt8], isOldestKept: Bool) async throws -> HandInOutcome
}

struct ReplicaStoreStatus: Sendable, Hashable {
    enum State: String, Sendable, CaseIterable {
        case none
        case joining
        case member
        case removed
        /// A backup replaced the store, which is therefore no longer the same device.
        case changed
    }

    /// This device's number in the group; 0 before it has one.
    var device: UInt64
    var state: State
    /// The number of the last message in this device's channel that all other members have merged, as they reported; 0
    /// if one of them has not reported yet, or if the device has no channel.
    var mergedByAll: UInt64 = 0
    var outgoing: [OutgoingChannel]
    var followed: [FollowedChannel]
}

/// A channel on which this device publishes.
struct OutgoingChannel: Sendable, Hashable {
    var channel: ReplicaChannel
    /// The number of the last message of the channel that is stored in the stream, as the agent has reported it to the
    /// daemon.
    var storedThrough: UInt64
    /// The number of the last message that the daemon has for the channel.
    var last: UInt64
}

struct FollowedChannel: Sendable, Hashable {
    var channel: ReplicaChannel
    /// The number of the next wanted message.
    var next: UInt64
}

struct OutgoingMessage: Sendable, Hashable {
    /// The number of the message, from 1 without gaps.
    var sequence: UInt64
    var bytes: [UInt8]
}

enum HandInOutcome: Sendable, Hashable {
    /// The message is merged into the store, now or by an earlier call.
    ///
    /// - Parameter next: the number of the channel's next wanted message.
    case merged(next: UInt64)
    /// The message is rejected for good: it is forged, of another group, or of a removed device.
    case refused(ReplicaReason)
    /// The message cannot be merged yet and should be passed again later, because something that it requires is
    /// missing.
    ///
    /// - Parameter expected: the number of the message that must come first, if a message of this channel is missing.
    case waits(ReplicaReason, expected: UInt64?)
}
