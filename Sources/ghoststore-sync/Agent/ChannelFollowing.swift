import Logging
import ReplicaTransport

/// Hands in what the stream has of one channel, in order, until the daemon does not follow it any more. Nothing is
/// acknowledged before the daemon has answered for it.
struct ChannelFollowing {
    let channel: ChannelName
    let store: any ReplicaStore
    let stream: any ReplicaStream
    let board: SessionBoard
    let figures: AgentFigures
    let logger: Logger

    /// How long the servers may wait for a message.
    static let wait = Duration.seconds(2)
    private static let roundMessagesMax = 256
    /// The servers say nothing of a place that is gone; it is looked up after so many rounds without a message.
    private static let quietRoundsMax = 15
    /// What waits in the daemon for something else is handed in again after these.
    private static let waiting = Backoff(first: .milliseconds(500), longest: .seconds(60))

    func run() async throws {
        var retry = ChannelRetry(channel, logger, figures)
        var machine = FollowMachine(next: board.wanted(channel) ?? 1)
        var follower: (any ChannelFollower)?
        var pauses = Self.waiting
        var quietRounds = 0
        defer { figures.pending(channel, nil) }
        while let wanted = board.wanted(channel) {
            try Task.checkCancellation()
            machine.wanted(wanted)
            do {
                guard let current = follower, machine.isLocated else {
                    follower = try await locate(&machine)
                    continue
                }
                let messages = try await current.fetch(
                    countMax: Self.roundMessagesMax,
                    bytesMax: board.bytesOfRound + FollowerLimits.overheadBytes, wait: Self.wait)
                quietRounds = messages.isEmpty ? quietRounds + 1 : 0
                if quietRounds > Self.quietRoundsMax {
                    quietRounds = 0
                    try await current.checkPlace()
                }
                figures.pending(channel, messages.last?.pending ?? 0)
                let advance = try await process(messages, of: current, &machine, delay: &pauses)
                retry.succeeded()
                if machine.firstBehindGap == nil { _ = board.gapped(channel, false) }
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
        let start = machine.located(found, last: last)
        if let first = machine.firstBehindGap, board.gapped(channel, true) {
            logger.error(
                "messages that are wanted are gone from the stream: the daemon needs a snapshot",
                metadata: ["channel": "\(channel.text)", "wanted": "\(machine.next)", "first": "\(first)"])
        }
        return try await stream.follow(channel, as: board.device, from: start)
    }

    /// Goes through what was delivered, by its numbers.
    private func process(
        _ messages: [DeliveredMessage], of follower: any ChannelFollower, _ machine: inout FollowMachine,
        delay pauses: inout Backoff
    ) async throws -> Advance {
        var settlements: [(DeliveredMessage, Settlement)] = []
        let sorted = messages.sorted { $0.identity.sequence < $1.identity.sequence }
        for (index, message) in sorted.enumerated() {
            let sequence = message.identity.sequence
            switch machine.verdict(on: sequence) {
            case .acknowledge: settlements.append((message, .acknowledged))
            case .locate:
                // What is in hand comes again from the place that is made.
                machine.lost()
                try await follower.settle(settlements)
                return .going
            case .handIn:
                let outcome = try await store.handIn(
                    channel: channel.text, bytes: message.bytes, isOldestKept: sequence == machine.firstBehindGap)
                tell(outcome, of: message)
                guard machine.handedIn(sequence, outcome) == .goesOn else {
                    let delay = pauses.next()
                    try await follower.settle(settlements + sorted[index...].map { ($0, .later(delay)) })
                    return .pausing(delay)
                }
                // Not for what is refused: the daemon may want it again, and get no other.
                if outcome == .merged { pauses.succeeded() }
                settlements.append((message, .acknowledged))
            }
        }
        try await follower.settle(settlements)
        return .going
    }

    private func tell(_ outcome: HandInOutcome, of message: DeliveredMessage) {
        figures.handedIn(channel.kind, outcome, bytes: message.byteCount)
        let place: Logger.Metadata = ["channel": "\(channel.text)", "sequence": "\(message.identity.sequence)"]
        switch outcome {
        case .merged: break
        case .refused(let reason):
            logger.error("the daemon refused a message", metadata: place.merging(["reason": "\(reason)"]) { $1 })
        case .waits(let reason, _):
            logger.info("a message waits", metadata: place.merging(["reason": "\(reason)"]) { $1 })
        }
    }
}
