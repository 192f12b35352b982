import StoreBasics
import Synchronization

/// Delivers the messages of a channel in the order of their numbers. If a message is missing, the later ones wait for
/// it until it counts as lost.
package final class FolderFollower: Sendable {
    private struct State {
        /// The number of the message to deliver next.
        var next: UInt64
        var acknowledged: Set<FolderMessageName> = []
        /// Messages to deliver again, each with the earliest time of its next delivery.
        var delayed: [FolderMessageName: ContinuousClock.Instant] = [:]
        /// The name of each delivered message, by its identifier.
        var delivered: [String: FolderMessageName] = [:]
    }

    private struct Round {
        var messages: [StreamMessage] = []
        var pending = 0
        /// The time at which the folder has to be listed again, even without a change.
        var repeatAt: ContinuousClock.Instant
    }

    private static let incompletePause = Duration.seconds(5)

    private let group: GroupFolder
    private let folder: ChannelFolder
    private let queue = BlockingQueue("folder follower")
    private let state: Mutex<State>

    init(_ group: GroupFolder, _ channel: String, from start: FollowerStart) {
        self.group = group
        folder = group.folder(of: channel)
        let first: UInt64 =
            switch start {
            case .first: 0
            case .streamSequence(let place): place >> 16
            }
        state = Mutex(State(next: first))
    }

    /// Returns the available messages in order, or waits for the first one. Returns an empty array if none arrives in
    /// time, or if the task is cancelled.
    ///
    /// - Parameters:
    ///   - wanted: the number of the next message that the daemon wants.
    ///   - bytesMax: the most bytes; one message is returned in any case.
    package func fetch(
        wanted: UInt64, countMax: Int, bytesMax: Int, wait: Duration
    ) async throws(TransportError) -> [DeliveredMessage] {
        let end = ContinuousClock.now + wait
        while true {
            let seen = group.watcher.count(folder.channel)
            let round = try await queue.run { () throws(TransportError) in
                try self.round(wanted, countMax: countMax, bytesMax: bytesMax)
            }
            guard round.messages.isEmpty, .now < end, !Task.isCancelled else {
                return round.messages.enumerated().map { index, message in
                    DeliveredMessage(message, pending: round.pending + round.messages.count - 1 - index)
                }
            }
            await group.watcher.wait(folder.channel, after: seen, until: min(end, round.repeatAt))
        }
    }

    package func acknowledgeOrDelay(_ settlements: [(DeliveredMessage, Settlement)]) {
        state.withLock { state in
            for (message, settlement) in settlements {
                guard let name = state.delivered.removeValue(forKey: message.identity.identifier) else { continue }
                switch settlement {
                case .acknowledged:
                    state.delayed[name] = nil
                    state.acknowledged.insert(name)
                case .later(let delay): state.delayed[name] = .now + delay
                }
            }
        }
    }

    private func round(_ wanted: UInt64, countMax: Int, bytesMax: Int) throws(TransportError) -> Round {
        group.watcher.watch(folder)
        let listing = try group.listing(of: folder.channel)
        // A marker is not authenticated, so it removes only what this device has merged.
        let floor = min(listing.floor, wanted - min(1, wanted))
        if floor > 0 { folder.removeFiles(of: listing, through: floor) }
        var state = self.state.withLock { $0 }
        // Do not wait for messages before the wanted one.
        state.next = max(1, state.next, wanted)
        let now = ContinuousClock.now
        var round = Round(repeatAt: now + FolderWatcher.pollInterval)
        var bytes = 0
        state.acknowledged.formIntersection(listing.names)
        let names = listing.names.filter { $0.sequence >= wanted && !state.acknowledged.contains($0) }
        for (index, name) in names.enumerated() {
            if let due = state.delayed[name], due > now {
                round.repeatAt = min(round.repeatAt, due)
                continue
            }
            guard let message = try group.read(name, of: folder.channel) else {
                round.repeatAt = min(round.repeatAt, now + Self.incompletePause)
                continue
            }
            if name.sequence > state.next {
                if let left = group.patienceLeft(for: state.next, of: folder.channel) {
                    round.repeatAt = min(round.repeatAt, now + left)
                    break
                }
                state.next = name.sequence
            }
            if name.sequence == state.next { state.next += 1 }
            state.delivered[message.identity.identifier] = name
            round.messages.append(message)
            bytes += message.bytes.count
            round.pending = names.count - index - 1
            guard round.messages.count < countMax, bytes < bytesMax else { break }
        }
        let changed = state
        self.state.withLock { $0 = changed }
        return round
    }
}
