import Logging
import ReplicaModel
import ReplicaTransport
import StoreClient

/// Passes the messages of one channel from the stream to the daemon, in order, while the daemon follows the channel. A
/// message is acknowledged to the stream only after the daemon has answered.
struct ChannelFollowing {
    let channel: ReplicaChannel
    let store: any ReplicaStore
    let stream: any ReplicaStream
    let board: SessionBoard
    let figures: AgentFigures
    let logger: Logger

    /// The pause for messages that require a later version of the daemon.
    private static let laterPause = Duration.seconds(60)
    /// The time after which the channel is located again, if messages were skipped because they require a later version
    /// of the daemon.
    private static let leftPause = Duration.seconds(3_600)
    private static let roundMessagesMax = 256
    /// The number of consecutive fetches without a message after which the consumer is checked, because the servers do
    /// not report that it was deleted.
    private static let quietRoundsMax = 15

    /// The pauses before a message is passed to the daemon again, if the daemon has answered that the message must
    /// wait.
    private struct Pauses {
        private var usual = Backoff(first: .milliseconds(500), longest: .seconds(60))
        /// A batch of another device is usually on its way and is merged within milliseconds.
        private var order = Backoff(first: .milliseconds(20), longest: .seconds(1))

        mutating func next(after outcome: HandInOutcome) -> Duration {
            if case .waits(.otherBatchMissing, _) = outcome { order.next() } else { usual.next() }
        }

        mutating func succeeded() {
            usual.succeeded()
            order.succeeded()
        }
    }

    func run() async throws {
        var retry = ChannelRetry(channel, logger, figures)
        var machine = FollowMachine(next: board.wanted(channel) ?? 1)
        var follower: (any ChannelFollower)?
        var pauses = Pauses()
        var quietRounds = 0
        var locatedAt = ContinuousClock.now
        defer { figures.pending(channel, nil) }
        while let wanted = board.wanted(channel) {
            try Task.checkCancellation()
            machine.wanted(wanted)
            if machine.hasLeftLaterVersion, locatedAt.duration(to: .now) > Self.leftPause { machine.lost() }
            do {
                guard let current = follower, machine.isLocated else {
                    follower = try await locate(&machine)
                    locatedAt = .now
                    continue
                }
                let messages = try await current.fetch(
                    wanted: wanted, countMax: Self.roundMessagesMax,
                    bytesMax: board.bytesOfRound + FollowerLimits.overheadBytes,
                    wait: type(of: current).longestWait)
                quietRounds = messages.isEmpty ? quietRounds + 1 : 0
                if quietRounds > Self.quietRoundsMax {
                    quietRounds = 0
                    try await current.checkPlace()
                }
                figures.pending(channel, messages.last?.pending ?? 0)
                let advance = try await process(messages, of: current, &machine, delay: &pauses)
                retry.succeeded()
                if !machine.isGapped { _ = board.gapped(channel, false) }
                if case .pausing(let delay) = advance { try await Task.sleep(for: delay) }
            } catch {
                machine.lost()
                try await retry.failed(error)
            }
        }
    }

    private enum Advance {
        case going
        case pausing(Duration)
    }

    private func locate(_ machine: inout FollowMachine) async throws -> any ChannelFollower {
        let last = try await stream.last(of: channel)
        let found = try await stream.find(machine.next, of: channel)
        // If the wanted message was not found, the channel's first message is not requested, because `located` would
        // not use it.
        let first = found == nil ? nil : try await stream.first(of: channel)
        return try await stream.follow(
            channel, as: board.device, from: machine.located(found, first: first, last: last))
    }

    /// Processes delivered messages in the order of the stream.
    private func process(
        _ messages: [DeliveredMessage], of follower: any ChannelFollower, _ machine: inout FollowMachine,
        delay pauses: inout Pauses
    ) async throws -> Advance {
        var settlements: [(DeliveredMessage, Settlement)] = []
        let sorted = messages.sorted { $0.streamSequence < $1.streamSequence }
        for (index, message) in sorted.enumerated() {
            let sequence = message.identity.sequence
            guard machine.verdict(on: sequence) == .handIn else {
                settlements.append((message, .acknowledged))
                continue
            }
            let outcome = try await store.handIn(
                channel: channel, bytes: message.bytes, isOldestKept: machine.isOldestKept(sequence))
            reportOutcome(outcome, of: message)
            let wanted = machine.next
            switch machine.handedIn(sequence, outcome) {
            case .goesOn: settlements.append((message, .acknowledged))
            case .later: settlements.append((message, .later(Self.laterPause)))
            case .pauses:
                reportGap(machine, at: sequence)
                if machine.isGapped { try await handInNewest(behind: sequence) }
                let delay = pauses.next(after: outcome)
                try await follower.acknowledgeOrDelay(settlements + sorted[index...].map { ($0, .later(delay)) })
                return .pausing(delay)
            }
            // A refused message is no progress: the daemon still wants a message with this number, and the stream may
            // have no other.
            if machine.next > wanted { pauses.succeeded() }
        }
        try await follower.acknowledgeOrDelay(settlements)
        return .going
    }

    /// Passes to the daemon the newest message of a channel that cannot continue because of a gap. That message may
    /// contain the device's request for a snapshot, which the daemon reads even before it can merge the message.
    private func handInNewest(behind sequence: UInt64) async throws {
        guard let last = try await stream.last(of: channel), last.identity.sequence > sequence else { return }
        _ = try await store.handIn(channel: channel, bytes: last.bytes, isOldestKept: false)
    }

    private func reportGap(_ machine: FollowMachine, at sequence: UInt64) {
        guard machine.isGapped, board.gapped(channel, true) else { return }
        logger.error(
            "the stream has lost messages that this store needs: the store needs a snapshot",
            metadata: ["channel": "\(channel.text)", "wanted": "\(machine.next)", "first": "\(sequence)"])
    }

    private func reportOutcome(_ outcome: HandInOutcome, of message: DeliveredMessage) {
        figures.handedIn(channel.kind, outcome, bytes: message.byteCount)
        let place: Logger.Metadata = ["channel": "\(channel.text)", "sequence": "\(message.identity.sequence)"]
        switch outcome {
        case .merged: break
        case .refused(.invitationOver): logger.reportUsedCode(channel)
        case .refused(let reason):
            logger.error(
                "the daemon refused a message", metadata: place.merging(["reason": "\(reason.rawValue)"]) { $1 })
        case .waits(let reason, _):
            logger.log(
                level: reason == .otherBatchMissing ? .debug : .info,
                "the daemon cannot accept a message yet: the message waits",
                metadata: place.merging(["reason": "\(reason.rawValue)"]) { $1 })
        }
    }
}
