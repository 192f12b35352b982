import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// Kills the daemon at random moments while clients append to logs and set scene values. CRASH_ROUNDS kills of one
/// store, seeded by CRASH_SEED.
@Suite(.oneAtATime) struct AreaCrashTests {
    private static let writersPerLog = 3
    /// The number of rounds in one log. A new log keeps the cost of later rounds constant.
    private static let roundsPerKeepingLog = 10

    /// The content of the store after all rounds so far.
    private struct Expected {
        /// A log that is overwritten many times in a round.
        var overwriting = LogCrashVerification(
            name: "crash-overwriting",
            configuration: LogConfiguration(maximumBytes: 16 << 10, overwritesOldest: true))
        /// A log that never becomes full.
        var keeping = LogCrashVerification(
            name: "crash-keeping",
            configuration: LogConfiguration(maximumBytes: 1 << 30, overwritesOldest: false))
        var scenes = (1...2).map { SceneCrashVerification(scene: "crash-scene-\($0)") }
        var revision: UInt64 = 0
        var answered = 0
        var unanswered = 0
        var unansweredButMade = 0

        mutating func count(_ repeated: [SentCall]) {
            let repetitions = repeated.filter(\.isRepeated)
            answered += repeated.count - repetitions.count
            unanswered += repetitions.count
            unansweredButMade += repetitions.madeBeforeCrashCount
        }
    }

    /// The calls that one writer has sent to its log or scene.
    private struct Writing: Sendable {
        let name: String
        let sent: [SentCall]
    }

    @Test func `every acknowledged append and scene value survives kill -9, complete and in order`() async throws {
        let rounds = Settings.number("CRASH_ROUNDS", default: TestTier.count(1, long: 15))
        var generator = SplitMix(seed: Settings.seed("CRASH_SEED"))
        try await withDaemon { daemon in
            var expected = Expected()
            for round in 0..<rounds {
                try await makeLogs(daemon, round: round, &expected)
                let seed = generator.next()
                // The first kill comes late, so that enough data is written.
                let delay = Duration.microseconds(
                    Int.random(in: (round == 0 ? 150_000 : 5_000)...400_000, using: &generator))
                let writings = try await writeAndKill(daemon, expected, round: round, seed: seed, after: delay)
                try await recover(daemon, generator: &generator)
                try await verify(daemon, writings, &expected)
            }
            let isEnough = expected.answered > 20
            #expect(isEnough, "hardly anything was written: the kills came too early to show anything")
            print(
                "area crash: \(expected.answered) writes answered, \(expected.unanswered) not, of which",
                "\(expected.unansweredButMade) were applied")
        }
    }

    private func makeLogs(_ daemon: TestDaemon, round: Int, _ expected: inout Expected) async throws {
        guard round.isMultiple(of: Self.roundsPerKeepingLog) else { return }
        let client = try await daemon.connect()
        if round == 0 {
            // The log is too small for all these messages, so every later append overwrites older ones.
            let messages: [[UInt8]] = (0..<60).map { number in
                Array(("before \(number) " + String(repeating: "x", count: 400)).utf8)
            }
            try await expected.overwriting.make(client, with: messages)
            try await expected.keeping.make(client)
        } else {
            try await expected.keeping.makeAgain(client)
        }
        await client.close()
    }

    private func writeAndKill(
        _ daemon: TestDaemon, _ expected: Expected, round: Int, seed: UInt64, after delay: Duration
    ) async throws -> [Writing] {
        let path = daemon.socketPath
        let logs = [expected.overwriting.name, expected.keeping.name]
        return try await withThrowingTaskGroup(of: Writing.self) { group in
            for number in 0..<logs.count * Self.writersPerLog {
                // One writer of each log waits for every response. The others send requests before the responses
                // arrive.
                let writer = AppendCrashWriter(
                    log: logs[number % logs.count], idPrefix: "r\(round)a\(number)-",
                    depth: number < logs.count ? 1 : 6, seed: seed &+ UInt64(number))
                group.addTask {
                    Writing(name: writer.log, sent: try await onThread { try writer.run(path) })
                }
            }
            for (number, scene) in expected.scenes.enumerated() {
                let writer = SceneCrashWriter(
                    scene: scene.scene, idPrefix: "r\(round)s\(number)-", firstCounter: scene.counter + 1,
                    depth: number == 0 ? 1 : 4)
                group.addTask {
                    Writing(name: writer.scene, sent: try await onThread { try writer.run(path) })
                }
            }
            try await Task.sleep(for: delay)
            try await daemon.kill9()
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Starts the daemon again. In one case of three it is killed once more while it recovers.
    private func recover(_ daemon: TestDaemon, generator: inout SplitMix) async throws {
        if Int.random(in: 0..<3, using: &generator) == 0 {
            try daemon.launch()
            try await Task.sleep(for: .microseconds(Int.random(in: 0...60_000, using: &generator)))
            try await daemon.kill9()
        }
        try await daemon.startAgain()
    }

    private func verify(_ daemon: TestDaemon, _ writings: [Writing], _ expected: inout Expected) async throws {
        let client = try await daemon.connect()
        let path = daemon.socketPath
        let status = try await client.status()
        try #require(status.storeState == .open, "\(status.storeStateMessage)")
        let sent = Dictionary(grouping: writings, by: \.name).mapValues { $0.map(\.sent) }
        try await SceneCrashVerification.expectGlobalIsNewest(of: expected.scenes, client)

        let overwriting = sent[expected.overwriting.name] ?? []
        let keeping = sent[expected.keeping.name] ?? []
        var repeated = try await expected.overwriting.verify(overwriting, client: client, socketPath: path)
        repeated += try await expected.keeping.verify(keeping, client: client, socketPath: path)
        let names = [expected.keeping.name, expected.overwriting.name]
        #expect(try await client.logPage().logs.map(\.name) == names)

        var requests: [[SentCall]] = []
        for index in expected.scenes.indices {
            var scene = expected.scenes[index]
            let own = sent[scene.scene]?.first ?? []
            requests.append(try await scene.verify(own, client: client, socketPath: path))
            expected.scenes[index] = scene
        }
        try await SceneCrashVerification.expectGlobalIsNewest(of: expected.scenes, client)

        let changes = try await client.gapFreeChanges(after: expected.revision)
        for (scene, own) in zip(expected.scenes, requests) {
            scene.expectChanges(changes, hold: own)
        }
        for sent in repeated + requests {
            expected.count(sent)
        }
        expected.revision += UInt64(changes.count)
        try await client.expectClean()
        await client.close()
    }
}
