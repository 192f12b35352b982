import ReplicaModel
import Synchronization

/// What the daemon said last, for the tasks of a session.
final class SessionBoard: Sendable {
    private struct State {
        var status: ReplicaStoreStatus
        var forked: Set<ReplicaChannel> = []
        var gapped: Set<ReplicaChannel> = []
    }

    private let state: Mutex<State>
    private let figures: AgentFigures
    /// Bytes of all rounds that are under way at once.
    private let bytesInFlight: Int
    private let roundBytes: Int

    init(_ status: ReplicaStoreStatus, bytesInFlight: Int, roundBytes: Int, figures: AgentFigures) {
        state = Mutex(State(status: status))
        self.bytesInFlight = bytesInFlight
        self.roundBytes = roundBytes
        self.figures = figures
        figures.set(.forkedChannels, 0)
        figures.set(.gappedChannels, 0)
    }

    func update(_ status: ReplicaStoreStatus) {
        state.withLock { $0.status = status }
        figures.set(.channelsOut, status.outgoing.count)
        figures.set(.channelsFollowed, status.followed.count)
        let unpublished = status.outgoing.reduce(0) { sum, channel in
            sum + (channel.last > channel.storedThrough ? Int(clamping: channel.last - channel.storedThrough) : 0)
        }
        figures.set(.unpublishedMessages, unpublished)
    }

    var device: UInt64 {
        state.withLock { $0.status.device }
    }

    func isOutgoing(_ channel: ReplicaChannel) -> Bool {
        state.withLock { $0.status.outgoing.contains { $0.channel == channel } }
    }

    /// The next message that the daemon wants; `nil` where it does not follow the channel any more.
    func wanted(_ channel: ReplicaChannel) -> UInt64? {
        state.withLock { $0.status.followed.first { $0.channel == channel }?.next }
    }

    /// The share of one channel: what all of them have is bounded.
    var bytesOfRound: Int {
        let channels = state.withLock { $0.status.outgoing.count + $0.status.followed.count }
        return max(1, min(roundBytes, bytesInFlight / max(1, channels)))
    }

    func forked(_ channel: ReplicaChannel) {
        figures.set(
            .forkedChannels,
            state.withLock {
                $0.forked.insert(channel); return $0.forked.count
            })
    }

    func isForked(_ channel: ReplicaChannel) -> Bool {
        state.withLock { $0.forked.contains(channel) }
    }

    /// - Returns: whether that is new.
    func gapped(_ channel: ReplicaChannel, _ isGapped: Bool) -> Bool {
        let (isNew, count) = state.withLock { state in
            let isNew = isGapped ? state.gapped.insert(channel).inserted : state.gapped.remove(channel) != nil
            return (isNew, state.gapped.count)
        }
        figures.set(.gappedChannels, count)
        return isNew
    }
}
