import StoreBasics
import TestBasics
import Testing

/// Devices of a replica group and their servers, each in its own network namespace if possible, while faults happen.
/// All stores must become equal, no acknowledged write may be lost, and nothing may be there twice.
@Suite(.enabled(if: NatsNode.program != nil, "nats-server is not installed"), .timeLimit(.minutes(180)))
struct FaultRoundTests {
    /// The number of rounds before a new group replaces the current one.
    private static let roundsOfGroup = 8

    @Test func `stores become equal after a network partition and a change of the leader`() async throws {
        let isCuttable = await NamespaceNetwork.isPossible()
        if !isCuttable { LongRuns.say("no network namespaces for this user: the network is not cut") }
        var random = SplitMix(seed: LongRuns.seed)
        let group = try await FaultyGroup(devices: 3, inNamespaces: isCuttable, seed: LongRuns.seed)
        let cut = isCuttable ? Fault.minorityWithDevice : .nodeFrozen
        let rounds: [[Fault]] = TestTier.cases(
            [[cut, .daemonKilled, .leaderStepsDown, .agentKilled]],
            long: [[cut, .daemonKilled], [.leaderStepsDown, .agentKilled]])
        for (index, faults) in rounds.enumerated() {
            let round = FaultRound(group: group, name: "seed \(LongRuns.seed) round \(index + 1)", faults: faults)
            LongRuns.say(try await round.run(&random))
        }
        try await group.stop()
    }

    @Test(.enabled(if: LongRuns.rounds > 0, "make replication-faults"))
    func `stores become equal after random faults`() async throws {
        let inNamespaces = await NamespaceNetwork.isPossible()
        LongRuns.say("REPLICATION_SEED=\(LongRuns.seed), \(inNamespaces ? "in network namespaces" : "on loopback")")
        var round = 0
        while round < LongRuns.rounds {
            // Each group has its own seed, so that a group that failed can be run alone.
            let seed = LongRuns.seed + UInt64(round / Self.roundsOfGroup)
            var random = SplitMix(seed: seed)
            let count = Int.random(in: 3...5, using: &random)
            LongRuns.say("a group of \(count) devices, seed \(seed)")
            let group = try await FaultyGroup(devices: count, inNamespaces: inNamespaces, seed: seed)
            for _ in 0..<min(Self.roundsOfGroup, LongRuns.rounds - round) {
                round += 1
                let faults = Fault.choose(inNamespaces: inNamespaces, &random)
                let one = FaultRound(group: group, name: "seed \(seed) round \(round)", faults: faults)
                LongRuns.say(try await one.run(&random))
            }
            try await group.stop()
        }
    }
}
