import Glibc
import StoreProtocol

/// Measures the lowest possible cost of durable work: runs the C program journal_floor with the same load as the
/// daemon. The program's records and responses have the same sizes as the daemon's.
final class JournalFloor {
    static let name = "C floor: seal and fdatasync"

    private let scenario: Scenario
    private let peer: JournalFloorPeer
    /// The requests per second of each round.
    private(set) var rates: [Double] = []

    /// Runs the scenario on the daemon for a short time, and measures the sizes of the daemon's journal records and
    /// responses. Then starts journal_floor with these sizes.
    ///
    /// - Parameter resultField: the field number of the result in the responses.
    init(
        _ scenario: Scenario, resultField: UInt32, program: String, scratch: ScratchDirectory, daemon: DaemonPeer,
        _ runner: inout ScenarioRunner
    ) async throws {
        self.scenario = scenario
        // A first run creates the data that the scenario needs, before anything is counted.
        _ = try await runner.run(scenario, clients: 1, duration: LoopDuration(warmUpSeconds: 0, seconds: 0.1))
        let alone = try await Trial(scenario, clients: 1, daemon, &runner)
        let together = try await Trial(scenario, clients: 64, daemon, &runner)
        // The record of a group commit has some bytes once and some bytes for each request. Both numbers are computed
        // from a record of one request and a record of many requests.
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

    /// Runs the load for one round, and adds its requests per second to `rates`.
    func measure(_ runner: inout ScenarioRunner, clients: Int, duration: LoopDuration) throws(BenchError) {
        let measured = try runner.run(scenario, onPeer: peer.socketPath, clients: clients, duration: duration)
        rates.append(measured.requestsPerSecond)
    }

    /// Returns a row with the rates of the rounds so far. Then clears the rates, for rounds with another number of
    /// clients.
    func row(_ work: String, ours: [Double], goal: Goal? = nil) -> BudgetRow {
        defer { rates = [] }
        return BudgetRow(work, against: Self.name, unit: "/s", ours: ours, peer: rates, goal: goal)
    }

    func stop() {
        peer.stop()
    }

    /// The sizes of the journal records that the daemon writes while it runs the scenario for half a second.
    private struct Trial {
        let requestsInRecord: Double
        /// The median and the mean size of a record's content. A few records also contain other changes of the daemon.
        /// They hardly change the median, so the median is the size of a record with only the scenario's requests.
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
