import GhostTestSupport
import StoreClient
import TestBasics

/// A comparison of the stores of a replica group with each other and with what their clients have written.
struct GroupComparison {
    let devices: [GroupDevice]
    var writers: [DeviceWriter] = []

    /// Waits until all stores have merged everything and are equal.
    func expectEqual(within limit: Duration) async throws {
        let end = ContinuousClock.now + limit
        while true {
            for device in devices {
                guard let crash = device.agentCrash else { continue }
                throw TestSupportError("the agent of \(device.name) has ended: \(crash)")
            }
            let differences = try await devices.areInStep() ? differences() : ["positions differ"]
            guard !differences.isEmpty else { return }
            guard ContinuousClock.now < end else {
                var report = differences.prefix(40)
                for device in devices {
                    report.append("\(device.name): \(try await device.client.replicaStatus())")
                }
                throw TestSupportError("stores differ:\n\(report.joined(separator: "\n"))")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    /// Returns descriptions of everything that differs between stores, and of everything that a store lacks.
    private func differences() async throws -> [String] {
        let first = try await StoreContent(of: devices[0].client)
        var differences = first.repeated.map { "there twice: \($0)" }
        differences += first.lines.filter { $0.hasPrefix("without its content") }
        for device in devices.dropFirst() {
            let other = try await StoreContent(of: device.client)
            guard other.lines != first.lines else { continue }
            let (ours, theirs) = (Set(first.lines), Set(other.lines))
            differences += ours.subtracting(theirs).sorted().prefix(10).map { "\(device.name) lacks \($0.prefix(400))" }
            differences += theirs.subtracting(ours).sorted().prefix(10).map {
                "\(device.name) alone has \($0.prefix(400))"
            }
        }
        for writer in writers {
            differences += writer.expectations.violations(in: first.values).map { "of \(writer.name): \($0)" }
            differences += writer.refusals.map { "of \(writer.name): \($0)" }
        }
        return try await differences + wrongCounts(first)
    }

    /// Returns the counters that disagree with the rows that they count. Each store updates its counters itself.
    private func wrongCounts(_ content: StoreContent) async throws -> [String] {
        var wrong: [String] = []
        for device in devices {
            for try await conversation in device.client.conversations() {
                let count = content.messageCounts[conversation.sessionID]
                guard count != conversation.messageCount else { continue }
                wrong.append(
                    "\(device.name) counts \(conversation.messageCount) messages instead of \(count ?? -1) in "
                        + conversation.sessionID)
            }
        }
        return wrong
    }
}
