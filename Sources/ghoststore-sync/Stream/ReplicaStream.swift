import ReplicaModel
import ReplicaTransport

/// The agent's requests to the stream.
protocol ReplicaStream: Sendable {
    /// True if the stream is closed for good.
    var isClosed: Bool { get }

    /// True if messages are deleted by their age, so that a channel may become empty again.
    var forgetsByAge: Bool { get }

    func last(of channel: ReplicaChannel) async throws(TransportError) -> StreamMessage?

    func first(of channel: ReplicaChannel) async throws(TransportError) -> StreamMessage?

    /// Returns the message of a channel at a stream sequence; `nil` if there is no message at this sequence, or if it
    /// belongs to another channel.
    func message(of channel: ReplicaChannel, at place: UInt64) async throws(TransportError) -> StreamMessage?

    /// Returns the first message of a channel with the given number or a higher one.
    func find(_ sequence: UInt64, of channel: ReplicaChannel) async throws(TransportError) -> StreamMessage?

    func publish(
        _ message: OutgoingMessage, on channel: ReplicaChannel, behind last: ExpectedLast
    ) async throws(TransportError) -> PublishOutcome

    /// Follows a channel from the position `start`, and ignores the position that the servers have stored for this
    /// device.
    func follow(
        _ channel: ReplicaChannel, as device: UInt64, from start: FollowerStart
    ) async throws(TransportError) -> any ChannelFollower

    /// Removes messages that no device needs any more, if the stream does not do so by itself.
    func removeUnneeded(_ status: ReplicaStoreStatus) async throws(TransportError)
}

protocol ChannelFollower: Sendable {
    /// The longest time that `fetch` may wait.
    static var longestWait: Duration { get }

    /// - Parameter wanted: the number of the next message that the daemon wants.
    func fetch(
        wanted: UInt64, countMax: Int, bytesMax: Int, wait: Duration
    ) async throws(TransportError) -> [DeliveredMessage]
    func acknowledgeOrDelay(_ settlements: [(DeliveredMessage, Settlement)]) async throws(TransportError)
    /// Checks the position that the stream keeps for this device.
    ///
    /// - Throws: an error if the position is lost.
    func checkPlace() async throws(TransportError)
}

extension SubjectFollower: ChannelFollower {
    static let longestWait = Duration.seconds(2)

    func fetch(
        wanted: UInt64, countMax: Int, bytesMax: Int, wait: Duration
    ) async throws(TransportError) -> [DeliveredMessage] {
        try await fetch(countMax: countMax, bytesMax: bytesMax, wait: wait)
    }
}

/// The stream on NATS servers.
struct GroupStream: ReplicaStream {
    let connection: StreamConnection
    let settings: StreamSettings

    var isClosed: Bool { connection.state == .closed }
    var forgetsByAge: Bool { settings.ageMax != nil }

    func last(of channel: ReplicaChannel) async throws(TransportError) -> StreamMessage? {
        try await connection.lastMessage(of: settings.subject(of: channel.text), in: settings.name)
    }

    func first(of channel: ReplicaChannel) async throws(TransportError) -> StreamMessage? {
        try await connection.message(of: settings.subject(of: channel.text), in: settings.name, from: 1)
    }

    func message(of channel: ReplicaChannel, at place: UInt64) async throws(TransportError) -> StreamMessage? {
        let found = try await connection.message(
            of: settings.subject(of: channel.text), in: settings.name, from: place)
        return found?.streamSequence == place ? found : nil
    }

    func find(_ sequence: UInt64, of channel: ReplicaChannel) async throws(TransportError) -> StreamMessage? {
        try await connection.find(sequence, of: settings.subject(of: channel.text), in: settings.name)
    }

    func publish(
        _ message: OutgoingMessage, on channel: ReplicaChannel, behind last: ExpectedLast
    ) async throws(TransportError) -> PublishOutcome {
        try await connection.publish(
            message.bytes, to: settings.subject(of: channel.text),
            as: MessageIdentity(channel: channel.text, sequence: message.sequence, bytes: message.bytes),
            behind: last)
    }

    func follow(
        _ channel: ReplicaChannel, as device: UInt64, from start: FollowerStart
    ) async throws(TransportError) -> any ChannelFollower {
        let place = FollowerPlace(
            settings: settings, channel: channel.text, follower: ReplicaDevice.text(device))
        return try await connection.follow(place, from: start, moves: true)
    }

    /// Does nothing, because the servers remove messages by their age.
    func removeUnneeded(_ status: ReplicaStoreStatus) {}
}
