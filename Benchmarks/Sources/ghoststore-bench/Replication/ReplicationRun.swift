import Glibc
import StoreBasics
import StoreClient

/// Measures the parts of a plan. Each part has its own stores and agents. All parts use the same NATS servers.
struct ReplicationRun {
    private let plan: ReplicationPlan
    private let root: ScratchDirectory
    /// The scratch directory for everything that would be on other machines in real use.
    private let othersRoot: ScratchDirectory
    private let nats: NatsPeer
    private var streamCount = 0

    init(_ plan: ReplicationPlan) throws(BenchError) {
        self.plan = plan
        root = try ScratchDirectory.make(in: plan.scratchParent)
        othersRoot = try ScratchDirectory.make(in: plan.othersScratchParent)
        nats = try NatsPeer(scratch: othersRoot, count: plan.serverCount, prefix: plan.elsewhere)
    }

    mutating func run() async throws -> ReplicationReport {
        var report = ReplicationReport(
            machine: Machine.describe(), natsVersion: nats.version, serverCount: plan.serverCount,
            othersYield: plan.othersYield, loadAverage: Self.loadAverage)
        defer { nats.stop() }
        for part in ReplicationPart.allCases where plan.parts.contains(part) {
            Progress.note("\(part.rawValue): \(part.summary)")
            let scratch = try root.subdirectory(part.rawValue)
            switch part {
            case .latency: report.latencies = try await measureLatency(scratch)
            case .throughput: report.throughputs = try await measureThroughput(scratch)
            case .catchUp: report.catchUps = try await measureCatchUp(scratch)
            case .cost: report.costs = try await measureCost(scratch, Self.closedLoads)
            case .pacedCost:
                report.pacedCosts = try await measureCost(
                    scratch, ReplicationPlan.paces.map { .paced(perSecond: $0) })
            case .pinnedCost where !Processors.areEnough:
                Progress.note("left out: it needs two processors")
            case .pinnedCost:
                report.pinnedCosts = try await measureCost(scratch, Self.closedLoads, isPinned: true)
            }
        }
        return report
    }

    private static var loadAverage: Double {
        var averages = [0.0, 0.0, 0.0]
        return getloadavg(&averages, 3) > 0 ? averages[0] : 0
    }

    // MARK: Parts

    private mutating func measureLatency(_ scratch: ScratchDirectory) async throws -> [GroupLatencyRow] {
        let (one, two, dataSet) = try await pair(scratch)
        var rows: [GroupLatencyRow] = []
        for (work, rest) in [("at rest before", ReplicationPlan.restMilliseconds), ("one behind the other", 0)] {
            let latency = WatchLatency(
                socketPath: one.socketPath, watchedSocketPath: two.socketPath, dataSet: dataSet,
                firstMessage: rows.count * (plan.samples + 1))
            rows.append(
                GroupLatencyRow(
                    work: work, latencyMicroseconds: try latency.samples(plan.samples, restMilliseconds: rest)))
        }
        await Self.stop([one, two])
        return rows
    }

    private mutating func measureThroughput(_ scratch: ScratchDirectory) async throws -> [GroupThroughputRow] {
        let (one, two, dataSet) = try await pair(scratch)
        let theirs = DataSet.empty
        try await prepare(theirs, on: two)
        try await waiting("both have all conversations", with: [one, two]) { try await one.isInStep(with: two) }
        let rows = try await GroupThroughput(plan: plan, one: one, two: two, dataSets: (dataSet, theirs)).run()
        await Self.stop([one, two])
        return rows
    }

    private mutating func measureCatchUp(_ scratch: ScratchDirectory) async throws -> [CatchUpRow] {
        let stream = nextStream()
        let one = try await device("one", stream, scratch)
        let two = try await device("two", stream, othersRoot.subdirectory(stream), prefix: plan.elsewhere)
        try await found(one)
        let rows = try await CatchUp(plan: plan, one: one, two: two).run()
        await Self.stop([one, two])
        return rows
    }

    private static let closedLoads = ReplicationPlan.clientCounts.map { SaveLoad.closed(clients: $0) }

    /// - Parameter isPinned: true to give one processor to the clients and their daemon, and the other processors to
    ///   everything else.
    private mutating func measureCost(
        _ scratch: ScratchDirectory, _ loads: [SaveLoad], isPinned: Bool = false
    ) async throws -> [SaveCostRow] {
        let plain = try await device("plain", nextStream(), scratch)
        let stopped = try await device("stopped", nextStream(), scratch)
        let (one, two, dataSet) = try await pair(scratch)
        try await found(stopped)
        stopped.stopAgent()
        let (plainSet, stoppedSet) = (DataSet.empty, DataSet.empty)
        try await prepare(plainSet, on: plain)
        try await prepare(stoppedSet, on: stopped)
        let processors = isPinned ? try Processors(scratch) : nil
        try processors?.keepMeasured([getpid()] + [plain, stopped, one].map(\.daemon.processID))
        try processors?.keepAway(nats.processIDs + [two.daemon.processID] + [one, two].compactMap(\.agentProcessID))
        let rows = try await SaveCost(
            plan: plan, loads: loads,
            candidates: [
                SaveCost.Candidate(name: "in no group", device: plain, dataSet: plainSet),
                SaveCost.Candidate(name: "in a group, its agent stopped", device: stopped, dataSet: stoppedSet),
                SaveCost.Candidate(
                    name: "in a group, another device follows", device: one, follower: two, dataSet: dataSet),
            ]
        ).run()
        try processors?.free([getpid()] + nats.processIDs)
        await Self.stop([plain, stopped, one, two])
        return rows
    }

    // MARK: Devices

    private mutating func nextStream() -> String {
        streamCount += 1
        return "bench-\(streamCount)"
    }

    private func device(
        _ name: String, _ stream: String, _ scratch: ScratchDirectory, prefix: [String] = []
    ) async throws -> GroupDevice {
        try nats.requireRunning()
        return try await GroupDevice(
            name, programs: plan.programs, stream: stream, servers: nats.urls, prefix: prefix, scratch: scratch)
    }

    /// Creates a group with one device, and waits until its agent has published all of its data to the stream.
    private func found(_ device: GroupDevice) async throws {
        try await device.client.createReplicaGroup(deviceName: device.name, selection: ReplicationPlan.selection)
        try device.startAgent()
        try await device.published()
    }

    /// Returns two devices of a group with equal stores, and the data set that the first one's clients save into.
    private mutating func pair(_ scratch: ScratchDirectory) async throws -> (GroupDevice, GroupDevice, DataSet) {
        let stream = nextStream()
        let one = try await device("one", stream, scratch)
        let two = try await device("two", stream, othersRoot.subdirectory(stream), prefix: plan.elsewhere)
        try await found(one)
        let dataSet = DataSet.empty
        try await prepare(dataSet, on: one)
        try await one.admit(two)
        try await waiting("two devices are in step", with: [one, two]) {
            guard try await two.isInStep(with: one) else { return false }
            return try await one.isInStep(with: two)
        }
        return (one, two, dataSet)
    }

    private func prepare(_ dataSet: DataSet, on device: GroupDevice) async throws {
        try await Preload.run(
            dataSet, clientCount: ReplicationPlan.clientCounts.max() ?? 1, socketPath: device.socketPath)
    }

    private static func stop(_ devices: [GroupDevice]) async {
        for device in devices {
            await device.stop()
        }
    }
}
