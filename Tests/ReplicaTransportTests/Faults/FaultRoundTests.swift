import StoreBasics
import TestBasics
import Testing

/// Devices of a group and their servers, each in a network namespace of its own where that can be, while something goes
/// wrong: all stores come to hold the same, no answered write is lost, and nothing is there twice.
@Suite(.enabled(if: NatsNode.program != nil, "nats-server is not installed"), .timeLimit(.minutes(180)))
struct FaultRoundTests {
    /// How long a group lives.
    private static let roundsOfGroup = 8

    @Test func `a cut network and a new leader leave all stores equal`() async throws {
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
    func `random faults leave all stores equal`() async throws {
        let inNamespaces = await NamespaceNetwork.isPossible()
        LongRuns.say("REPLICATION_SEED=\(LongRuns.seed), \(inNamespaces ? "in network namespaces" : "on loopback")")
        var round = 0
        while round < LongRuns.rounds {
            // Each group has a seed of its own, so that one that failed can be run alone.
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
