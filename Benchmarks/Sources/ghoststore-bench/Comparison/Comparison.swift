import StoreProtocol

/// Runs the parts of a plan one after the other. While a part runs, only the servers of this part run.
struct Comparison {
    private let plan: ComparisonPlan
    private let root: ScratchDirectory
    /// The directory of the current part.
    private var scratch: ScratchDirectory
    private var budget: [BudgetRow] = []
    private var peers: [String: String] = [:]
    private var measurements: [Measurement] = []
    private var failedParts: [String] = []

    init(_ plan: ComparisonPlan) throws(BenchError) {
        self.plan = plan
        root = try ScratchDirectory.make(in: plan.scratchParent)
        scratch = root
    }

    /// Runs all parts of the plan. A part that fails is reported, and the others still run.
    mutating func run() async throws -> ComparisonReport {
        for part in ComparisonPart.allCases where plan.parts.contains(part) {
            Progress.note("\(part.rawValue): \(part.summary)")
            scratch = try root.subdirectory(part.rawValue)
            do {
                try await run(part)
            } catch {
                Progress.note("  it failed: \(error)")
                failedParts.append(part.rawValue)
            }
        }
        return ComparisonReport(
            machine: Machine.describe(), peers: peers, rounds: plan.rounds,
            secondsPerMeasurement: plan.duration.seconds, bigStoreMessages: plan.bigStoreMessages, budget: budget,
            measurements: measurements, failedParts: failedParts)
    }

    private mutating func run(_ part: ComparisonPart) async throws {
        switch part {
        case .save: try await compareSaves()
        case .get: try await compareGets()
        case .list: try await compareLists()
        case .append: try await compareAppends()
        case .scenes: try await compareScenes()
        case .memory: try await measureMemory()
        case .start: try await measureStarts()
        case .scale: try await compareScale()
        case .scenarios: try await measureScenarios()
        }
    }

    // MARK: Comparisons with peers

    private mutating func compareSaves() async throws {
        let daemon = try startDaemon("save")
        defer { daemon.stop() }
        let redis = try RedisPeer(scratch: scratch)
        defer { redis.stop() }
        let small = Self.smallStore
        let postgres = try PostgresPeer(
            scratch: scratch, conversations: small.conversationCount, messages: small.messageCount)
        defer { postgres.stop() }
        notePeers(redis: redis, postgres: postgres)
        var runner = try await preloaded(daemon, small)
        let floor = try await journalFloor(.save, resultField: ResponseOutline.commitNumber, daemon, &runner)
        defer { floor.stop() }
        for clients in ComparisonPlan.clientCounts {
            var ours: [Double] = []
            var redisRates: [Double] = []
            var postgresRates: [Double] = []
            for _ in 0..<plan.rounds {
                ours.append(try await runner.run(.save, clients: clients, duration: plan.duration).requestsPerSecond)
                redisRates.append(try redis.sets(clients: clients, seconds: plan.duration.seconds))
                ours.append(try await runner.run(.save, clients: clients, duration: plan.duration).requestsPerSecond)
                postgresRates.append(try postgres.saves(clients: clients, seconds: plan.duration.seconds))
                try floor.measure(&runner, clients: clients, duration: plan.duration)
            }
            let work = "durable save, \(clients) client\(clients == 1 ? "" : "s")"
            budget.append(
                BudgetRow(
                    work, against: "Redis, appendfsync always", unit: "/s", ours: ours, peer: redisRates,
                    goal: .ratio(atLeast: 1.0)))
            budget.append(
                BudgetRow(
                    work, against: "PostgreSQL, pgbench prepared", unit: "/s", ours: ours, peer: postgresRates,
                    goal: .ratio(atLeast: 1.5)))
            budget.append(floor.row(work, ours: ours, goal: clients == 64 ? .ratio(atLeast: 0.67) : nil))
        }
    }

    private mutating func compareAppends() async throws {
        let daemon = try startDaemon("append")
        defer { daemon.stop() }
        let redis = try RedisPeer(scratch: scratch)
        defer { redis.stop() }
        peers["redis"] = redis.version
        var runner = ScenarioRunner(socketPath: daemon.socketPath, dataSet: Self.smallStore)
        let floor = try await journalFloor(.append, resultField: CallKind.appendLog.rawValue, daemon, &runner)
        defer { floor.stop() }
        for clients in ComparisonPlan.clientCounts {
            var ours: [Double] = []
            var redisRates: [Double] = []
            for _ in 0..<plan.rounds {
                ours.append(try await runner.run(.append, clients: clients, duration: plan.duration).requestsPerSecond)
                redisRates.append(
                    try redis.appends(
                        messagesMax: SampleLog.messagesMax, messageBytes: SampleLog.messageBytes,
                        clients: clients, seconds: plan.duration.seconds))
                try floor.measure(&runner, clients: clients, duration: plan.duration)
            }
            let work = "durable append, \(clients) client\(clients == 1 ? "" : "s")"
            budget.append(
                BudgetRow(
                    work, against: "Redis XADD MAXLEN, appendfsync always", unit: "/s", ours: ours, peer: redisRates,
                    goal: .ratio(atLeast: 1.0)))
            budget.append(floor.row(work, ours: ours))
        }
    }

    private mutating func compareScenes() async throws {
        let daemon = try startDaemon("scenes")
        defer { daemon.stop() }
        let redis = try RedisPeer(scratch: scratch)
        defer { redis.stop() }
        peers["redis"] = redis.version
        let hashes = RedisHashes(
            count: SampleScenes.count, field: SampleScenes.key, valueBytes: SampleScenes.valueBytes)
        try redis.make(hashes)
        var runner = ScenarioRunner(socketPath: daemon.socketPath, dataSet: Self.smallStore)
        let floor = try await journalFloor(.sceneSet, resultField: ResponseOutline.commitNumber, daemon, &runner)
        defer { floor.stop() }
        for clients in ComparisonPlan.clientCounts {
            let seconds = plan.duration.seconds
            var sets: [Double] = []
            var redisSets: [Double] = []
            var gets: [Double] = []
            var redisGets: [Double] = []
            for _ in 0..<plan.rounds {
                let setRun = try await runner.run(.sceneSet, clients: clients, duration: plan.duration)
                sets.append(setRun.requestsPerSecond)
                redisSets.append(try redis.hashSets(hashes, clients: clients, seconds: seconds))
                try floor.measure(&runner, clients: clients, duration: plan.duration)
                let getRun = try await runner.run(.sceneGet, clients: clients, duration: plan.duration)
                gets.append(getRun.requestsPerSecond)
                redisGets.append(try redis.hashGets(hashes, clients: clients, seconds: seconds))
            }
            let text = "\(clients) client\(clients == 1 ? "" : "s")"
            budget.append(
                BudgetRow(
                    "durable scene set, \(text)", against: "Redis HSET, appendfsync always", unit: "/s", ours: sets,
                    peer: redisSets))
            budget.append(floor.row("durable scene set, \(text)", ours: sets))
            budget.append(
                BudgetRow("scene get, \(text)", against: "Redis HGET", unit: "/s", ours: gets, peer: redisGets))
        }
    }

    private mutating func compareGets() async throws {
        let daemon = try startDaemon("get")
        defer { daemon.stop() }
        var runner = try await preloaded(daemon, Self.smallStore)
        let echo = try await echoPeer(
            .get, .getMessage, requestBytes: RepeatedWorkload.get(runner.dataSet).requestBytesMax, &runner)
        defer { echo.stop() }
        var ours: [Double] = []
        var echoes: [Double] = []
        for _ in 0..<plan.rounds {
            ours.append(try await runner.run(.get, clients: 1, duration: plan.duration).latencyMicroseconds.p50)
            echoes.append(try echoed(.get, echo, &runner))
        }
        budget.append(
            BudgetRow(
                "get one message, p50", against: "C epoll echo of the same bytes", unit: "µs", ours: ours,
                peer: echoes, goal: .ratio(atMost: 1.5)))
    }

    private mutating func compareLists() async throws {
        let small = Self.smallStore
        let daemon = try startDaemon("list")
        defer { daemon.stop() }
        let postgres = try PostgresPeer(
            scratch: scratch, conversations: small.conversationCount, messages: small.messageCount)
        defer { postgres.stop() }
        let inProcess = try SQLCipherPeer(
            program: plan.peerPrograms + "/sqlcipher_reads", scratch: scratch,
            conversations: small.conversationCount, messages: small.messageCount)
        var runner = try await preloaded(daemon, small)
        let echo = try await echoPeer(
            .list, .listMessages, requestBytes: RepeatedWorkload.list(runner.dataSet).requestBytesMax, &runner)
        defer { echo.stop() }
        var ours: [Double] = []
        var inProcessTimes: [Double] = []
        var postgresTimes: [Double] = []
        var echoes: [Double] = []
        for _ in 0..<plan.rounds {
            ours.append(try await runner.run(.list, clients: 1, duration: plan.duration).latencyMicroseconds.p50)
            inProcessTimes.append(try inProcess.medianMicroseconds(.list, plan.duration))
            ours.append(try await runner.run(.list, clients: 1, duration: plan.duration).latencyMicroseconds.p50)
            postgresTimes.append(try postgres.listMedianMicroseconds(seconds: plan.duration.seconds))
            echoes.append(try echoed(.list, echo, &runner))
        }
        budget.append(
            BudgetRow(
                "list 100 messages, p50", against: "SQLCipher in process, C", unit: "µs", ours: ours,
                peer: inProcessTimes, goal: .ratio(atMost: 1.3)))
        budget.append(
            BudgetRow(
                "list 100 messages, p50", against: "PostgreSQL, pgbench prepared", unit: "µs", ours: ours,
                peer: postgresTimes))
        budget.append(
            BudgetRow(
                "list 100 messages, p50", against: "C epoll echo of the same bytes", unit: "µs", ours: ours,
                peer: echoes))
        budget.append(
            BudgetRow(
                "list 100 messages, p50", against: "the echo and SQLCipher in process, together", unit: "µs",
                ours: ours, peer: zip(inProcessTimes, echoes).map(+)))
    }

    // MARK: Measurements without a peer

    private mutating func measureMemory() async throws {
        let daemon = try startDaemon("memory")
        defer { daemon.stop() }
        var runner = try await preloaded(daemon, Self.smallStore)
        _ = try daemon.restart()
        pause(milliseconds: 1_000)
        let idle = try daemon.residentMebibytes()
        let connections = try ConnectionCrowd(
            count: ComparisonPlan.connectionsForMemory, socketPath: daemon.socketPath)
        try connections.pingAll()
        let crowded = try daemon.residentMebibytes()
        connections.close()
        budget.append(
            BudgetRow("resident memory, idle", unit: "MiB", ours: [idle], goal: .atMost(20, "MiB")))
        budget.append(
            BudgetRow(
                "resident memory, \(Numbers.grouped(Double(connections.count))) connections", unit: "MiB",
                ours: [crowded], goal: .atMost(40, "MiB")))
        _ = try await runner.run(.mixed, clients: 64, duration: plan.duration)
        budget.append(
            BudgetRow("resident memory, after a mixed load of 64", unit: "MiB", ours: [try daemon.residentMebibytes()]))
    }

    private mutating func measureStarts() async throws {
        let daemon = try startDaemon("start")
        defer { daemon.stop() }
        _ = try await preloaded(daemon, Self.smallStore)
        try addStartRow(daemon, messages: ComparisonPlan.smallStoreMessages)
    }

    private mutating func addStartRow(_ daemon: DaemonPeer, messages: Int) throws(BenchError) {
        var times: [Double] = []
        for _ in 0..<ComparisonPlan.startsPerMeasurement {
            times.append(try daemon.restart())
        }
        budget.append(
            BudgetRow(
                "start to ready, \(Numbers.grouped(Double(messages))) messages", unit: "ms", ours: times,
                goal: .atMost(50, "ms")))
    }

    private mutating func compareScale() async throws {
        let bigStore = Self.store(messages: plan.bigStoreMessages)
        let big = try startDaemon("big")
        defer { big.stop() }
        let small = try startDaemon("small")
        defer { small.stop() }
        var smallRunner = try await preloaded(small, Self.smallStore)
        var bigRunner = try await preloaded(big, bigStore)
        Progress.note("  the big store has \(Numbers.grouped(Double(big.storeBytes) / 1_048_576)) MiB")
        try addStartRow(big, messages: plan.bigStoreMessages)
        let inProcess = try SQLCipherPeer(
            program: plan.peerPrograms + "/sqlcipher_reads", scratch: scratch,
            conversations: bigStore.conversationCount, messages: bigStore.messageCount)
        for (scenario, name, read) in Self.scaledReads {
            let work = "\(name) of \(Numbers.grouped(Double(plan.bigStoreMessages))), p50"
            var atBig: [Double] = []
            var atSmall: [Double] = []
            for _ in 0..<plan.rounds {
                let bigRun = try await bigRunner.run(scenario, clients: 1, duration: plan.duration)
                let smallRun = try await smallRunner.run(scenario, clients: 1, duration: plan.duration)
                atBig.append(bigRun.latencyMicroseconds.p50)
                atSmall.append(smallRun.latencyMicroseconds.p50)
            }
            budget.append(
                BudgetRow(
                    work, against: "of \(Numbers.grouped(Double(ComparisonPlan.smallStoreMessages)))", unit: "µs",
                    ours: atBig, peer: atSmall, goal: .ratio(atMost: 1.5)))
            if let read {
                try await compareWithLibrary(work, scenario, read, inProcess, &bigRunner)
            }
        }
    }

    private static let scaledReads: [(Scenario, String, SQLCipherPeer.Read?)] = [
        (.get, "get one message", .get), (.list, "list 100 messages", .list),
        (.statistics, "get the statistics", nil),
    ]

    /// Compares the time of a read through the daemon with the time of the same read by SQLCipher in one process. Then
    /// compares the daemon's time with the sum of SQLCipher's time and an echo server's time.
    private mutating func compareWithLibrary(
        _ work: String, _ scenario: Scenario, _ read: SQLCipherPeer.Read, _ inProcess: SQLCipherPeer,
        _ runner: inout ScenarioRunner
    ) async throws {
        let isGet = read == .get
        let workload = try isGet ? RepeatedWorkload.get(runner.dataSet) : RepeatedWorkload.list(runner.dataSet)
        let echo = try await echoPeer(
            scenario, isGet ? .getMessage : .listMessages, requestBytes: workload.requestBytesMax, &runner)
        defer { echo.stop() }
        var ours: [Double] = []
        var library: [Double] = []
        var behindEcho: [Double] = []
        for _ in 0..<plan.rounds {
            ours.append(try await runner.run(scenario, clients: 1, duration: plan.duration).latencyMicroseconds.p50)
            let alone = try inProcess.medianMicroseconds(read, plan.duration)
            library.append(alone)
            behindEcho.append(alone + (try echoed(scenario, echo, &runner)))
        }
        budget.append(
            BudgetRow(
                work, against: "SQLCipher in process, C, same number of messages", unit: "µs", ours: ours,
                peer: library,
                goal: .ratio(atMost: 1.2)))
        budget.append(
            BudgetRow(
                work, against: "that and a C epoll echo, together", unit: "µs", ours: ours,
                peer: behindEcho))
    }

    private mutating func measureScenarios() async throws {
        let daemon = try startDaemon("scenarios")
        defer { daemon.stop() }
        var runner = try await preloaded(daemon, Self.smallStore)
        for scenario in Scenario.allCases {
            for clients in scenario.clientCounts(ComparisonPlan.clientCounts) {
                measurements.append(try await runner.run(scenario, clients: clients, duration: plan.duration))
            }
        }
    }

    // MARK: Preparation

    private static var smallStore: DataSet { store(messages: ComparisonPlan.smallStoreMessages) }

    private static func store(messages: Int) -> DataSet {
        DataSet(
            conversationCount: max(1, messages / ComparisonPlan.messagesPerConversation), messageCount: messages)
    }

    private func startDaemon(_ name: String) throws(BenchError) -> DaemonPeer {
        let daemon = try DaemonPeer(program: plan.daemonProgram, scratch: scratch, name: name)
        try daemon.start()
        return daemon
    }

    private func preloaded(_ daemon: DaemonPeer, _ dataSet: DataSet) async throws -> ScenarioRunner {
        try await Preload.run(dataSet, clientCount: 64, socketPath: daemon.socketPath)
        return ScenarioRunner(socketPath: daemon.socketPath, dataSet: dataSet)
    }

    private func journalFloor(
        _ scenario: Scenario, resultField: UInt32, _ daemon: DaemonPeer, _ runner: inout ScenarioRunner
    ) async throws -> JournalFloor {
        try await JournalFloor(
            scenario, resultField: resultField, program: plan.peerPrograms + "/journal_floor", scratch: scratch,
            daemon: daemon, &runner)
    }

    /// Starts an echo server whose responses have the size of a scenario's responses.
    private func echoPeer(
        _ scenario: Scenario, _ call: CallKind, requestBytes: Int, _ runner: inout ScenarioRunner
    ) async throws -> EchoPeer {
        let trial = try await runner.run(
            scenario, clients: 1, duration: LoopDuration(warmUpSeconds: 0.1, seconds: 0.5))
        return try EchoPeer(
            program: plan.peerPrograms + "/epoll_echo", scratch: scratch, requestBytes: requestBytes,
            responseBytes: FrameLimits.headerBytes + Int(trial.responseBytesMean.rounded()), call: call)
    }

    private func echoed(
        _ scenario: Scenario, _ echo: EchoPeer, _ runner: inout ScenarioRunner
    ) throws(BenchError) -> Double {
        try runner.run(scenario, onPeer: echo.socketPath, clients: 1, duration: plan.duration).latencyMicroseconds.p50
    }

    private mutating func notePeers(redis: RedisPeer, postgres: PostgresPeer) {
        peers["redis"] = redis.version
        peers["postgresql"] = postgres.version
    }
}
