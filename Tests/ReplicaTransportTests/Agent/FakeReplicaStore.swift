import ReplicaModel
import StoreBasics
import StoreClient
import Synchronization

@testable import ghoststore_sync

/// A stand-in for a daemon, in memory, which outlives every agent. It accepts the messages of each channel only in
/// their order, and counts the calls.
final class FakeReplicaStore: ReplicaStore {
    private struct State {
        var outgoing: [OutgoingMessage] = []
        var storedThrough: UInt64 = 0
        var mergedByAll: UInt64 = 0
        var next: [ReplicaChannel: UInt64] = [:]
        /// The numbers of all merged messages of each channel, in the order of merging.
        var merged: [ReplicaChannel: [UInt64]] = [:]
        var answered: [ReplicaChannel: Set<UInt64>] = [:]
        var askedAgain = 0
        var outcomes: [ReplicaChannel: [UInt64: [HandInOutcome]]] = [:]
        var handIns: [ReplicaChannel: [HandIn]] = [:]
    }

    /// A message of another device that the agent handed in, whatever the result was.
    struct HandIn: Hashable {
        let sequence: UInt64
        let isOldestKept: Bool
    }

    let device: UInt64
    let channel: ReplicaChannel
    private let state: Mutex<State>
    private let step: @Sendable () async throws -> Void

    /// - Parameter step: runs before each call takes effect, and again after it.
    init(
        device: UInt64, following others: [UInt64], step: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.device = device
        channel = .device(device)
        self.step = step
        var state = State()
        for other in others { state.next[.device(other)] = 1 }
        self.state = Mutex(state)
    }

    /// Returns bytes that stand for a sealed message: its channel, its number, and filler.
    static func seal(_ channel: ReplicaChannel, _ sequence: UInt64, size: Int = 200) -> [UInt8] {
        Array("\(channel.text)/\(sequence)/".utf8)
            + [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: size)
    }

    func save(_ count: Int = 1, size: Int = 200) {
        state.withLock { state in
            for _ in 0..<count {
                let sequence = UInt64(state.outgoing.count) + 1
                state.outgoing.append(
                    OutgoingMessage(sequence: sequence, bytes: Self.seal(channel, sequence, size: size)))
            }
        }
    }

    /// Sets the results of the next attempts to hand in a message.
    func answer(_ channel: ReplicaChannel, _ sequence: UInt64, _ outcomes: [HandInOutcome]) {
        state.withLock { $0.outcomes[channel, default: [:]][sequence] = outcomes }
    }

    /// Sets the number of the next message that the store waits for, as after a snapshot.
    func want(_ channel: ReplicaChannel, _ sequence: UInt64) {
        state.withLock { $0.next[channel] = sequence }
    }

    /// Sets the number up to which all other members have merged the messages of this device.
    func confirm(through sequence: UInt64) {
        state.withLock { $0.mergedByAll = sequence }
    }

    func merged(_ channel: ReplicaChannel) -> [UInt64] {
        state.withLock { $0.merged[channel] ?? [] }
    }

    /// Returns every message of a channel that was handed in, in the order of the calls.
    func handIns(_ channel: ReplicaChannel) -> [HandIn] {
        state.withLock { $0.handIns[channel] ?? [] }
    }

    func hasAnswered(_ channel: ReplicaChannel, _ sequence: UInt64) -> Bool {
        state.withLock { ($0.answered[channel] ?? []).contains(sequence) || sequence < ($0.next[channel] ?? 1) }
    }

    var storedThrough: UInt64 { state.withLock { $0.storedThrough } }
    var askedAgain: Int { state.withLock { $0.askedAgain } }

    func status() async throws -> ReplicaStoreStatus {
        try await step()
        return state.withLock { state in
            ReplicaStoreStatus(
                device: device, state: .member, mergedByAll: state.mergedByAll,
                outgoing: [
                    OutgoingChannel(
                        channel: channel, storedThrough: state.storedThrough, last: UInt64(state.outgoing.count))
                ],
                followed: state.next.map { FollowedChannel(channel: $0.key, next: $0.value) })
        }
    }

    func outgoing(
        channel: ReplicaChannel, storedThrough: UInt64, limitBytes: Int, wait: Duration
    ) async throws -> [OutgoingMessage] {
        try await step()
        state.withLock { $0.storedThrough = max($0.storedThrough, storedThrough) }
        let end = ContinuousClock.now + wait
        while true {
            let messages = state.withLock { state in
                var room = limitBytes
                return Array(
                    state.outgoing.dropFirst(Int(storedThrough)).prefix { message in
                        defer { room -= message.bytes.count }
                        return room > 0
                    })
            }
            if !messages.isEmpty || ContinuousClock.now >= end {
                try await step()
                return messages
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    func handIn(channel: ReplicaChannel, bytes: [UInt8], isOldestKept: Bool) async throws -> HandInOutcome {
        try await step()
        let outcome = take(channel, bytes, isOldestKept: isOldestKept)
        try await step()
        return outcome
    }

    private func take(_ channel: ReplicaChannel, _ bytes: [UInt8], isOldestKept: Bool) -> HandInOutcome {
        if channel == self.channel { return judge(bytes) }
        let parts = String(decoding: bytes.prefix(64), as: UTF8.self).split(separator: "/")
        guard parts.count > 1, parts[0] == channel.text, let sequence = UInt64(parts[1]) else {
            return .refused(.forged)
        }
        return state.withLock { state in
            state.handIns[channel, default: []].append(HandIn(sequence: sequence, isOldestKept: isOldestKept))
            let next = state.next[channel] ?? 1
            if var prepared = state.outcomes[channel]?[sequence], !prepared.isEmpty {
                let outcome = prepared.removeFirst()
                state.outcomes[channel]?[sequence] = prepared
                if case .refused = outcome { state.answered[channel, default: []].insert(sequence) }
                return outcome
            }
            if sequence > next { return .waits(.earlierMessageMissing, expected: next) }
            state.answered[channel, default: []].insert(sequence)
            guard sequence == next else {
                state.askedAgain += 1
                return .merged(next: next)
            }
            state.merged[channel, default: []].append(sequence)
            state.next[channel] = next + 1
            return .merged(next: next + 1)
        }
    }

    /// Returns the verdict on a message in this device's channel. The name of the channel at the beginning of a message
    /// stands for the device's signature.
    private func judge(_ bytes: [UInt8]) -> HandInOutcome {
        guard bytes.starts(with: Array("\(channel.text)/".utf8)) else { return .refused(.forged) }
        return state.withLock { state in
            guard state.outgoing.contains(where: { $0.bytes == bytes }) else { return .refused(.forked) }
            return .merged(next: UInt64(state.outgoing.count) + 1)
        }
    }
}
