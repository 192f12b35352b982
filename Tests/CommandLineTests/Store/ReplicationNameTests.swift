import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Devices are addressed by their names. People choose the names and may choose the same one twice.
@Suite struct ReplicationNameTests {
    /// Runs `body` with three devices of one replica group. The first is called `desk`.
    private func withGroup(
        named others: (String, String),
        _ body: (_ control: Control, _ numbers: [String]) async throws -> Void
    ) async throws {
        try await withControl { first, firstDaemon in
            try await withControl { second, secondDaemon in
                try await withControl { third, thirdDaemon in
                    var clients: [StoreClient] = []
                    for daemon in [firstDaemon, secondDaemon, thirdDaemon] {
                        clients.append(try await daemon.connect())
                    }
                    let made = try await first.json("replication", "create", "--name", "desk")
                    var numbers = made.compactMap { $0["device"]?.text }
                    for (control, name) in [(second, others.0), (third, others.1)] {
                        let code = try await first.text("replication", "invite")
                        let path = try firstDaemon.directory.write(code, to: "code of \(name)")
                        let joined = try await control.json(
                            "replication", "join", "--name", name, "--code-file", path)
                        numbers += joined.compactMap { $0["device"]?.text }
                    }
                    try await carryGroupMessages(clients)
                    try #require(numbers.count == 3)
                    try await body(first, numbers)
                    for client in clients {
                        await client.close()
                    }
                }
            }
        }
    }

    @Test func `this device is never confused with another device of the same name`() async throws {
        try await withGroup(named: ("desk", "lap")) { control, numbers in
            let both = try await control.run("replication", "remove", "desk", "--yes")
            #expect(both.exitCode == 64, "\(both.errorOutput)")
            #expect(both.errorOutput.contains("\(numbers[0]) (this device), \(numbers[1])"))
            let status = try await control.run("replication", "status")
            #expect(status.errorOutput.contains("several devices have the name desk"))
            #expect(!status.output.contains("removed"))
            for own in [numbers[0], numbers[0].uppercased()] {
                let refused = try await control.run("replication", "remove", own, "--yes")
                #expect(
                    refused.exitCode == 64
                        && refused.errorOutput.contains(
                            """
                            is this device; it cannot be removed here
                            """)
                )
                #expect(refused.errorOutput.contains("replication leave"))
            }
            let said = try await control.text("replication", "remove", numbers[1], "--yes")
            #expect(said.contains("desk") && said.contains(numbers[1]))
            // Only this device still has the name.
            let alone = try await control.run("replication", "remove", "desk", "--yes")
            #expect(alone.exitCode == 64 && alone.errorOutput.contains("desk is this device"))
            let removed = try await control.json("replication", "remove", "lap", "--yes")
            #expect(removed.first?["removed_device"]?.text == numbers[2] && removed.first?["name"]?.text == "lap")
        }
    }

    @Test func `leave prints what remains to be done on the other devices`() async throws {
        try await withGroup(named: ("lap", "lap")) { control, numbers in
            let twice = try await control.run("replication", "remove", "lap", "--yes")
            #expect(twice.exitCode == 64 && twice.errorOutput.contains("\(numbers[1])"))
            #expect(twice.errorOutput.contains(numbers[2]) && !twice.errorOutput.contains("this device"))
            let said = try await control.text("replication", "leave", "--yes")
            #expect(said.contains("remove \(numbers[0]) on one of them"))
        }
    }
}
