import ReplicaModel
import ReplicaTransport
import Synchronization

/// The stream in a folder that another program carries between the devices.
final class FolderStream: ReplicaStream {
    /// The time for which the channels of joins and snapshots are kept.
    private static let channelAge = Duration.seconds(30 * 86_400)
    private static let channelCheckInterval = Duration.seconds(3_600)

    /// The least number of messages that are removed together. Fewer removals are less work for the program that
    /// carries the folder.
    private static let messagesMin: UInt64 = 64

    private struct Removed {
        var through: UInt64?
        var channelsCheckedAt: ContinuousClock.Instant?
    }

    private let folder: GroupFolder
    private let removed = Mutex(Removed())

    init(_ folder: GroupFolder) {
        self.folder = folder
    }

    /// A folder is never closed: its requests fail while it is absent.
    var isClosed: Bool { false }
    /// False, because the newest message of a channel in use is never removed, so such a channel never becomes empty.
    var forgetsByAge: Bool { false }

    func last(of channel: ReplicaChannel) async throws(TransportError) -> StreamMessage? {
        try await folder.last(of: channel.text)
    }

    func first(of channel: ReplicaChannel) async throws(TransportError) -> StreamMessage? {
        try await folder.first(of: channel.text)
    }

    func message(of channel: ReplicaChannel, at place: UInt64) async throws(TransportError) -> StreamMessage? {
        try await folder.message(of: channel.text, at: place)
    }

    func find(_ sequence: UInt64, of channel: ReplicaChannel) async throws(TransportError) -> StreamMessage? {
        try await folder.find(sequence, of: channel.text)
    }

    func publish(
        _ message: OutgoingMessage, on channel: ReplicaChannel, behind last: ExpectedLast
    ) async throws(TransportError) -> PublishOutcome {
        try await folder.publish(message.bytes, message.sequence, on: channel.text, behind: last)
    }

    func follow(_ channel: ReplicaChannel, as device: UInt64, from start: FollowerStart) -> any ChannelFollower {
        folder.follow(channel.text, from: start)
    }

    func removeUnneeded(_ status: ReplicaStoreStatus) async {
        let now = ContinuousClock.now
        let (next, isCheckDue) = removed.withLock { removed in
            (
                removed.through.map { $0 + Self.messagesMin } ?? 1,
                removed.channelsCheckedAt.map { now - $0 > Self.channelCheckInterval } ?? true
            )
        }
        // Failures are not reported, because the next check tries again.
        if status.state == .member, status.mergedByAll >= next || isCheckDue {
            let last = status.outgoing.first { $0.channel == .device(status.device) }?.last ?? .max
            try? await folder.removeConfirmed(
                through: status.mergedByAll, of: ReplicaChannel.device(status.device).text, last: last)
            removed.withLock { $0.through = status.mergedByAll }
        }
        guard isCheckDue else { return }
        let used = status.outgoing.map(\.channel.text) + status.followed.map(\.channel.text)
        try? await folder.removeChannels(unchangedFor: Self.channelAge, except: Set(used))
        removed.withLock { $0.channelsCheckedAt = now }
    }
}

extension FolderFollower: ChannelFollower {
    static let longestWait = Duration.seconds(30)

    /// Does nothing, because a folder keeps no position for a device.
    func checkPlace() {}
}
