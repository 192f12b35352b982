import GhostTestSupport
import StoreBasics
import Synchronization
import TestBasics
import Testing

/// One round of the fault tests. Clients write on every device, a fault begins and ends, and then all stores are
/// compared.
struct FaultRound {
    let group: FaultyGroup
    let name: String
    let faults: [Fault]

    /// - Returns: a description of the round for the log.
    func run(_ random: inout SplitMix) async throws -> String {
        let start = ContinuousClock.now
        let over = Signal()
        let writers = group.writers
        var done: [String] = []
        group.writers = try await withThrowingTaskGroup(of: (Int, DeviceWriter).self) { tasks in
            defer { over.give() }
            for (index, writer) in writers.enumerated() {
                tasks.addTask {
                    var writer = writer
                    while !over.isGiven {
                        await writer.write()
                        try await Task.sleep(for: .milliseconds(10))
                    }
                    return (index, writer)
                }
            }
            done = try await goWrong(&random)
            over.give()
            var ended: [(Int, DeviceWriter)] = []
            for try await one in tasks {
                ended.append(one)
            }
            return ended.sorted { $0.0 < $1.0 }.map(\.1)
        }
        let answered = group.writers.reduce(0) { $0 + $1.expectations.answeredCount }
        let before = writers.reduce(0) { $0 + $1.expectations.answeredCount }
        #expect(answered > before, "\(name): nothing was written")
        let quiet = ContinuousClock.now
        try await compare(behind: done)
        try await group.settleCluster()
        let (writing, settling) = (quiet - start, ContinuousClock.now - quiet)
        return "\(name): \(done.joined(separator: ", ")): \(answered - before) writes answered,"
            + " \(writing.inTenths) s of writing, \(settling.inTenths) s until all was equal"
    }

    private func goWrong(_ random: inout SplitMix) async throws -> [String] {
        func pause(_ range: ClosedRange<Int>) async throws {
            try await Task.sleep(for: .milliseconds(Int.random(in: range, using: &random)))
        }
        var underWay: [FaultUnderWay] = []
        for fault in faults {
            try await pause(200...800)
            underWay.append(try await group.begin(fault, &random))
        }
        try await pause(500...2_500)
        for fault in underWay {
            try await fault.end()
        }
        try await pause(100...500)
        return underWay.map(\.description)
    }

    // MARK: Comparison

    private func compare(behind done: [String]) async throws {
        do {
            try await GroupComparison(devices: group.devices, writers: group.writers).expectEqual(within: .seconds(120))
        } catch {
            throw TestSupportError("\(name): \(done): \(error)\n\(group.agentLogs)\n\(group.cluster.log)")
        }
    }
}

/// A flag that is set once and that all tasks can read.
private final class Signal: Sendable {
    private let state = Mutex(false)

    var isGiven: Bool { state.withLock { $0 } }

    func give() {
        state.withLock { $0 = true }
    }
}

extension Duration {
    fileprivate var inTenths: String {
        let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
