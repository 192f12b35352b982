import ReplicaModel
import StoreClient

/// What the agent asks of the daemon. All of the agent's places are the daemon's answers: it may be killed between any
/// two steps.
protocol ReplicaStore: Sendable {
    /// Own device, whom to follow and from where, what waits to go out.
    func status() async throws -> ReplicaStoreStatus

    /// The next sealed messages of a channel behind a sequence, in order and without gaps; waits for one where there is
    /// none. Those up to `storedThrough` are in the stream durably and may be forgotten.
    ///
    /// - Parameter limitBytes: one message is given in any case.
    func outgoing(
        channel: ReplicaChannel, storedThrough: UInt64, limitBytes: Int, wait: Duration
    ) async throws -> [OutgoingMessage]

    /// Hands one message of a channel in; answers only when what it answers is durable.
    ///
    /// - Parameter isOldestKept: the stream has none of those any more that the daemon wants before it.
    func handIn(channel: ReplicaChannel, bytes: [UInt8], isOldestKept: Bool) async throws -> HandInOutcome
}

struct ReplicaStoreStatus: Sendable, Hashable {
    enum State: String, Sendable, CaseIterable {
        case none
        case joining
        case member
        case removed
        /// A backup took the store's place: it is not the device any more that it was.
        case changed
    }

    /// This device's number in the group; 0 before it has one.
    var device: UInt64
    var state: State
    var outgoing: [OutgoingChannel]
    var followed: [FollowedChannel]
}

/// A channel on which this device publishes.
struct OutgoingChannel: Sendable, Hashable {
    var channel: ReplicaChannel
    /// What the daemon was told to be in the stream.
    var storedThrough: UInt64
    /// The last message there is.
    var last: UInt64
}

struct FollowedChannel: Sendable, Hashable {
    var channel: ReplicaChannel
    /// The number of the next message that is wanted.
    var next: UInt64
}

struct OutgoingMessage: Sendable, Hashable {
    /// From 1, without gaps.
    var sequence: UInt64
    var bytes: [UInt8]
}

enum HandInOutcome: Sendable, Hashable {
    /// It is in the store, now or since an earlier time.
    ///
    /// - Parameter next: the number of the message that the channel goes on with.
    case merged(next: UInt64)
    /// For good: it is forged, of another group, of a removed device.
    case refused(ReplicaReason)
    /// It may be handed in again later: something that it needs is not there yet.
    ///
    /// - Parameter expected: the number of the message that has to come first, where one of this channel is missing.
    case waits(ReplicaReason, expected: UInt64?)
}
