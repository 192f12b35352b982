import Glibc
import StoreProtocol

/// What durable work costs that does nothing else: the C program journal_floor behind the same driver, whose records
/// and answers are as large as those of the daemon.
final class JournalFloor {
    static let name = "C floor: seal and fdatasync"

    private let scenario: Scenario
    private let peer: JournalFloorPeer
    /// Requests a second, round by round.
    private(set) var rates: [Double] = []

    /// Has the daemon do the work for a moment.
    ///
    /// - Parameter resultField: of the answers.
    init(
        _ scenario: Scenario, resultField: UInt32, program: String, scratch: ScratchDirectory, daemon: DaemonPeer,
        _ runner: inout ScenarioRunner
    ) async throws {
        self.scenario = scenario
        // What it needs is made before anything is counted.
        _ = try await runner.run(scenario, clients: 1, duration: LoopDuration(warmUpSeconds: 0, seconds: 0.1))
        let alone = try await Trial(scenario, clients: 1, daemon, &runner)
        let together = try await Trial(scenario, clients: 64, daemon, &runner)
        // A group's record has something once and something for each request.
        let forEach =
            together.requestsInRecord > 2
            ? max(1, (together.meanBytes - alone.medianBytes) / (together.requestsInRecord - 1)) : alone.medianBytes
        let sizes = JournalFloorPeer.RecordSizes(
            once: max(0, Int(alone.medianBytes - forEach)), forEachRequest: Int(forEach.rounded()))
        Progress.note("  records of \(sizes.once) bytes and \(sizes.forEachRequest) for each request")
        peer = try JournalFloorPeer(
            program: program, scratch: scratch, sizes: sizes, responseBytes: alone.responseBytes,
            resultField: resultField)
    }

    /// A round.
    func measure(_ runner: inout ScenarioRunner, clients: Int, duration: LoopDuration) throws(BenchError) {
        let measured = try runner.run(scenario, onPeer: peer.socketPath, clients: clients, duration: duration)
        rates.append(measured.requestsPerSecond)
    }

    /// The rounds so far as a line; the next ones are of another number of clients.
    func row(_ work: String, ours: [Double], goal: Goal? = nil) -> BudgetRow {
        defer { rates = [] }
        return BudgetRow(work, against: Self.name, unit: "/s", ours: ours, peer: rates, goal: goal)
    }

    func stop() {
        peer.stop()
    }

    /// What the daemon's journal has of half a second's work.
    private struct Trial {
        let requestsInRecord: Double
        /// Of a record's content: the middle one, which is of no work but this, and the mean.
        let medianBytes: Double
        let meanBytes: Double
        let responseBytes: Int

        init(
            _ scenario: Scenario, clients: Int, _ daemon: DaemonPeer, _ runner: inout ScenarioRunner
        ) async throws {
            let before = try JournalRecords(inFolder: daemon.journalPath).last
            let run = try await runner.run(
                scenario, clients: clients, duration: LoopDuration(warmUpSeconds: 0, seconds: 0.5))
            let records = try JournalRecords(inFolder: daemon.journalPath)
            let bytes = records.contentBytes(after: before)
            guard !bytes.isEmpty else {
                throw BenchError("the journal has no records of \(scenario.rawValue); hint: measure it again")
            }
            requestsInRecord = Double(run.requests) / Double(records.last - before)
            medianBytes = bytes.median
            meanBytes = bytes.reduce(0, +) / Double(bytes.count)
            responseBytes = FrameLimits.headerBytes + Int(run.responseBytesMean.rounded())
        }
    }
}
