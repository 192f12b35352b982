import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

@Suite struct ReplicationCommandTests {
    @Test func `a group is created, shown and left`() async throws {
        try await withControl { control, _ in
            let absent = try await control.run("replication", "status")
            #expect(absent.exitCode == 3 && absent.errorOutput.contains("REPLICA_GROUP_ABSENT"))
            let made = try await control.json(
                "replication", "create", "--name", "desk", "--take-part", "contacts", "--take-part", "scenes:notes.*")
            let device = try #require(made.first?["device"]?.text)
            #expect(device.count == 16)
            let again = try await control.run("replication", "create", "--name", "desk")
            #expect(again.exitCode == 3 && again.errorOutput.contains("ALREADY_EXISTS"))
            let rows = try await control.json("replication", "status")
            #expect(rows.count == 1 && rows.first?["name"]?.text == "desk" && rows.first?["state"]?.text == "member")
            let table = try await control.text("replication", "status")
            #expect(table.contains(device) && table.contains("desk") && table.contains("member"))
            #expect(try await control.text("replication", "status", "--quiet") == device + "\n")
            let unknown = try await control.run("replication", "remove", "lap", "--yes")
            #expect(unknown.exitCode == 2 && unknown.errorOutput.contains("there is no such device: lap"))
            let asked = try await control.run("replication", "leave")
            #expect(asked.exitCode == 64 && asked.errorOutput.contains("--yes"))
            try await control.text("replication", "leave", "--yes")
            #expect(try await control.run("replication", "leave", "--yes").exitCode == 3)
        }
    }

    @Test func `a code is printed once with its validity and a hint, and is never an argument`() async throws {
        try await withControl { control, daemon in
            try await control.text("replication", "create", "--name", "desk")
            let invited = try await control.run("replication", "invite", "--valid", "10m")
            #expect(invited.exitCode == 0)
            #expect(invited.output.count == 40 && invited.output.hasSuffix("\n"))
            for part in ["valid until", "replication join", "it is not shown again"] {
                #expect(invited.errorOutput.contains(part))
            }
            for valid in ["10s", "2w", "soon"] {
                #expect(try await control.run("replication", "invite", "--valid", valid).exitCode == 64)
            }
            let file = daemon.directory.file("code")
            try await control.text("replication", "invite", "--code-output", file)
            #expect(daemon.directory.read("code").count == 40)
            #expect(try await control.run("replication", "invite", "--code-output", file).exitCode == 73)
            try await withControl { other, _ in
                let wrong = try await other.run(
                    "replication", "join", "--name", "lap", "--code-file", "-", input: "no code")
                #expect(wrong.exitCode == 65)
                let more = try await other.run(
                    "replication", "join", "--name", "lap", "--code-file", "-",
                    input: "the code is valid until then\n" + invited.output + invited.output)
                #expect(more.exitCode == 65 && more.errorOutput.contains("contains more than an invitation code"))
                #expect(try await other.run("replication", "join", "--name", "lap", "ABCD").exitCode == 64)
                try await other.text("replication", "join", "--name", "lap", "--code-file", file)
                let rows = try await other.json("replication", "status")
                #expect(rows.map { $0["state"]?.text } == ["joining"])
                #expect(rows.first?["waiting_messages"]?.integer == 1)
                let told = try await other.run("replication", "status")
                #expect(told.errorOutput.contains("waits until the device") && told.errorOutput.contains("a new code"))
            }
        }
    }

    @Test func `doctor reports on a group`() async throws {
        try await withControl { control, _ in
            let before = try await control.run("doctor", "--json")
            #expect(!before.output.contains(#""check":"replication""#))
            try await control.text("replication", "create", "--name", "desk")
            let after = try await control.run("doctor", "--json")
            let finding = try JSON.lines(after.output).first { $0["check"]?.text == "replication" }
            #expect(finding?["state"]?.text == "ok")
        }
    }
}
