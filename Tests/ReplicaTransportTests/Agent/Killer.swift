import ReplicaModel
import ReplicaTransport
import StoreBasics
import Synchronization

@testable import ghoststore_sync

/// Ends agents between two of their steps, as kill -9 would: a request in progress has no further effect.
final class Killer: Sendable {
    private struct State {
        var random: SplitMix
        var isKilled = false
        var kills = 0
        var isActive = true
    }

    private let state: Mutex<State>
    /// The average number of steps before the agent is killed.
    private let odds: Int

    init(seed: UInt64, odds: Int) {
        state = Mutex(State(random: SplitMix(seed: seed)))
        self.odds = odds
    }

    var kills: Int { state.withLock { $0.kills } }
    var isKilled: Bool { state.withLock { $0.isKilled } }

    func revive() {
        state.withLock { $0.isKilled = false }
    }

    /// Stops killing agents.
    func rest() {
        state.withLock { $0.isActive = false }
    }

    func step() async throws {
        let isKilled = state.withLock { state in
            if state.isActive, !state.isKilled, Int.random(in: 0..<odds, using: &state.random) == 0 {
                state.isKilled = true
                state.kills += 1
            }
            return state.isKilled
        }
        // A killed agent waits here until its task is cancelled.
        if isKilled { try await Task.sleep(for: .seconds(3_600)) }
    }

    /// Does the same as `step`, for callers that may throw only the stream's errors.
    func streamStep() async throws(TransportError) {
        do {
            try await step()
        } catch {
            throw TransportError(.closed, "killed")
        }
    }
}

/// A stream that calls `Killer.streamStep` before and after its requests, so that an agent can be killed there. It also
/// checks the acknowledgements.
struct WatchedStream: ReplicaStream {
    let stream: any ReplicaStream
    let store: FakeReplicaStore
    let killer: Killer
    let violations: Violations

    var isClosed: Bool { stream.isClosed }
    var forgetsByAge: Bool { stream.forgetsByAge }

    func last(of channel: ReplicaChannel) async throws(TransportError) -> StreamMessage? {
        try await killer.streamStep()
        return try await stream.last(of: channel)
    }

    func first(of channel: ReplicaChannel) async throws(TransportError) -> StreamMessage? {
        try await killer.streamStep()
        return try await stream.first(of: channel)
    }

    func message(of channel: ReplicaChannel, at place: UInt64) async throws(TransportError) -> StreamMessage? {
        try await killer.streamStep()
        return try await stream.message(of: channel, at: place)
    }

    func find(_ sequence: UInt64, of channel: ReplicaChannel) async throws(TransportError) -> StreamMessage? {
        try await killer.streamStep()
        return try await stream.find(sequence, of: channel)
    }

    func publish(
        _ message: OutgoingMessage, on channel: ReplicaChannel, behind last: ExpectedLast
    ) async throws(TransportError) -> PublishOutcome {
        try await killer.streamStep()
        let outcome = try await stream.publish(message, on: channel, behind: last)
        try await killer.streamStep()
        return outcome
    }

    func follow(
        _ channel: ReplicaChannel, as device: UInt64, from start: FollowerStart
    ) async throws(TransportError) -> any ChannelFollower {
        try await killer.streamStep()
        return WatchedFollower(
            follower: try await stream.follow(channel, as: device, from: start), channel: channel, store: store,
            killer: killer, violations: violations)
    }

    func removeUnneeded(_ status: ReplicaStoreStatus) async throws(TransportError) {
        try await killer.streamStep()
        try await stream.removeUnneeded(status)
    }
}

private struct WatchedFollower: ChannelFollower {
    static let longestWait = Duration.seconds(2)

    let follower: any ChannelFollower
    let channel: ReplicaChannel
    let store: FakeReplicaStore
    let killer: Killer
    let violations: Violations

    func fetch(
        wanted: UInt64, countMax: Int, bytesMax: Int, wait: Duration
    ) async throws(TransportError) -> [DeliveredMessage] {
        try await killer.streamStep()
        let messages = try await follower.fetch(
            wanted: wanted, countMax: countMax, bytesMax: bytesMax, wait: wait)
        try await killer.streamStep()
        return messages
    }

    func acknowledgeOrDelay(_ settlements: [(DeliveredMessage, Settlement)]) async throws(TransportError) {
        for (message, settlement) in settlements where settlement == .acknowledged {
            if !store.hasAnswered(channel, message.identity.sequence) {
                violations.add("\(channel.text)/\(message.identity.sequence) was acknowledged before it was handed in")
            }
        }
        try await killer.streamStep()
        try await follower.acknowledgeOrDelay(settlements)
    }

    func checkPlace() async throws(TransportError) {
        try await follower.checkPlace()
    }
}

final class Violations: Sendable {
    private let found = Mutex<[String]>([])

    func add(_ text: String) {
        found.withLock { $0.append(text) }
    }

    var all: [String] { found.withLock { $0 } }
}
