import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// Real daemons, each with its agent, and folders or pipes between them.
@Suite(.timeLimit(.minutes(5))) struct GroupOverFolderTests {
    @Test func `three stores with one folder get the same content although an agent is killed`() async throws {
        try await FolderGroup.with(devices: 3, isShared: true, carrying: { _ in }) { group in
            var ids: [String] = []
            for round in 0..<TestTier.count(12, long: 60) {
                for device in 0..<3 {
                    try await group.save(device, "\(device) \(round)")
                    ids.append("\(device) \(round)")
                }
                if round == 3 { try await group.devices[1].killAgent() }
                if round == 6 { try group.devices[1].startAgent() }
            }
            try await group.expectAll(ids)
            let statuses = try await group.devices[0].client.replicaStatus()
            #expect(statuses.devices.allSatisfy { $0.fault == nil && $0.missingSince == nil })
        }
    }

    @Test func `three stores get the same content over two pipes, and saves arrive within a moment`() async throws {
        let program = try BuiltPrograms.path("ghoststore-sync")
        @Sendable func carry(_ folders: [String]) async throws {
            let pipes = try [0, 2].map { number in
                try RunningProgram(
                    program,
                    [
                        "pipe", "--folder", folders[number], "--name", FolderGroup.name, "--",
                        program, "pipe", "--folder", folders[1], "--name", FolderGroup.name,
                    ])
            }
            defer { pipes.forEach { $0.signal(SIGTERM) } }
            try await Task.sleep(for: .seconds(600))
        }
        try await FolderGroup.with(devices: 3, isShared: false, carrying: carry) { group in
            var ids: [String] = []
            for device in 0..<3 {
                for number in 0..<10 {
                    try await group.save(device, "\(device) \(number)")
                    ids.append("\(device) \(number)")
                }
            }
            try await group.expectAll(ids)
            var times: [Duration] = []
            for number in 0..<20 {
                let start = ContinuousClock.now
                try await group.save(0, "late \(number)")
                ids.append("late \(number)")
                while (try? await group.devices[1].client.message("late \(number)")) == nil {
                    guard start.duration(to: .now) < .seconds(20) else { break }
                }
                times.append(start.duration(to: .now))
            }
            print("a save is on the next device in \(times.sorted()[10])")
            #expect(times.sorted()[10] < .seconds(1))
            try await group.expectAll(ids)
        }
    }

    @Test func `two fresh stores are in step after the commands of the documents`() async throws {
        let directory = try TemporaryDirectory()
        let carrier = "folder: \(directory.path)\nstream: {name: \(FolderGroup.name)}"
        let laptop = try await GroupDevice("laptop", carrier: carrier)
        let desktop = try await GroupDevice("desktop", carrier: carrier)
        try laptop.startAgent()
        try desktop.startAgent()
        try await laptop.client.saveMessage(NewMessage(id: "m", conversation: SmallGroup.party, text: "hello"))
        let control = try BuiltPrograms.path("ghoststorectl")
        let joined = try await Program.shell(
            """
            on() { socket=$1; shift; '\(control)' --socket "$socket" replication "$@"; }
            set -e
            on '\(laptop.daemon.socketPath)' create --name LAPTOP
            on '\(laptop.daemon.socketPath)' invite |
                on '\(desktop.daemon.socketPath)' join --name DESK --code-file - --wait 1m
            """)
        #expect(joined.exitCode == 0, "\(joined.errorOutput)")
        #expect(joined.output.contains("created a group; this store is its device "), "\(joined.output)")
        #expect(joined.output.contains("\njoined as device "), "\(joined.output)")
        #expect(try await desktop.client.message("m").text == "hello")
        try await laptop.stop()
        try await desktop.stop()
    }

    @Test func `a used code is reported as such, and not as an attack`() async throws {
        let directory = try TemporaryDirectory()
        let carrier = "folder: \(directory.path)\nstream: {name: \(FolderGroup.name)}"
        var devices: [GroupDevice] = []
        for name in ["laptop", "desktop", "tablet"] {
            devices.append(try await GroupDevice(name, carrier: carrier))
            try devices.last?.startAgent()
        }
        try await devices[0].client.createReplicaGroup(deviceName: "laptop", selection: ["conversations"])
        let control = try BuiltPrograms.path("ghoststorectl")
        func on(_ device: Int) -> String { "'\(control)' --socket '\(devices[device].daemon.socketPath)' replication" }
        let code = directory.file("code")
        let joined = try await Program.shell(
            """
            set -e
            \(on(0)) invite --code-output '\(code)'
            \(on(1)) join --name desktop --code-file '\(code)' --wait 1m
            \(on(2)) join --name tablet --code-file '\(code)'
            """)
        #expect(joined.exitCode == 0, "\(joined.errorOutput)")
        try await eventually("the agent names the used code", within: .seconds(30)) {
            devices[2].agentLog.contains("cannot join with this code")
        }
        for device in devices {
            #expect(!device.agentLog.contains("another client put"), "\(device.agentLog)")
            #expect(!device.agentLog.contains("refused a message"), "\(device.agentLog)")
            try await device.stop()
        }
    }
}
