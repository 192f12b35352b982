import ReplicaModel
import Synchronization

/// The daemon's last status, shared by the tasks of a session.
final class SessionBoard: Sendable {
    private struct State {
        var status: ReplicaStoreStatus
        var forked: Set<ReplicaChannel> = []
        var gapped: Set<ReplicaChannel> = []
    }

    private let state: Mutex<State>
    private let figures: AgentFigures
    /// The most bytes of messages that all channels together read at the same time.
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

    /// Returns the number of the next message that the daemon wants; `nil` if the daemon no longer follows the channel.
    func wanted(_ channel: ReplicaChannel) -> UInt64? {
        state.withLock { $0.status.followed.first { $0.channel == channel }?.next }
    }

    /// The most bytes of messages that one channel reads at once. All channels share `bytesInFlight`.
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

    /// Records whether messages are missing in a channel.
    ///
    /// - Returns: true if the recorded value has changed.
    func gapped(_ channel: ReplicaChannel, _ isGapped: Bool) -> Bool {
        let (isNew, count) = state.withLock { state in
            let isNew = isGapped ? state.gapped.insert(channel).inserted : state.gapped.remove(channel) != nil
            return (isNew, state.gapped.count)
        }
        figures.set(.gappedChannels, count)
        return isNew
    }
}
