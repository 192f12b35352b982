import GhostTestSupport
import Glibc
import ReplicaModel
import ReplicaTransport
import StoreBasics
import StoreClient
import TestBasics
import Testing

@testable import ghoststore_sync

/// Tests with two processes of the real program, one at each end of a pipe.
@Suite(.timeLimit(.minutes(5))) struct PipeProgramTests {
    private static func program() throws -> String { try BuiltPrograms.path("ghoststore-sync") }

    /// Starts a pipe between two folders, as ssh would.
    private static func start(_ folder: String, _ other: String, name: String = DeviceGroup.name) throws
        -> RunningProgram
    {
        try RunningProgram(
            program(),
            [
                "pipe", "--folder", folder, "--name", name, "--",
                program(), "pipe", "--folder", other, "--name", name,
            ])
    }

    @Test func `pipes in a row carry everything in both directions, although they are killed`() async throws {
        let carriage = try Carriage(folders: 3)
        let group = DeviceGroup(folders: carriage.folders, seed: 7, odds: 300)
        try await group.run { group in
            for round in 0..<6 {
                // The device in the middle passes on the messages of the others.
                let pipes = [
                    try Self.start(carriage.folders[0], carriage.folders[1]),
                    try Self.start(carriage.folders[2], carriage.folders[1]),
                ]
                for _ in 0..<5 {
                    for device in group.devices { device.store.save(2) }
                    try await Task.sleep(for: .milliseconds(20 * round))
                }
                if round < 5 { pipes.forEach { $0.signal(SIGKILL) } }
                guard round == 5 else { continue }
                group.devices.forEach { $0.killer.rest() }
                try await eventually("all is there", within: .seconds(60)) { group.isComplete(60) }
                for pipe in pipes {
                    #expect(pipe.isRunning)
                    pipe.signal(SIGTERM)
                    #expect(try await pipe.wait(within: .seconds(10)).exitCode == 0)
                }
            }
        }
        group.expectEverything(60)
    }

    @Test func `a pipe ends with a reason if the other end is no pipe, has another group, or cannot be started`()
        async throws
    {
        let carriage = try Carriage(folders: 2)
        let program = try Self.program()
        func run(_ command: [String]) async throws -> ProgramResult {
            try await Program.run(program, ["pipe", "--folder", carriage.folders[0], "--"] + command)
        }
        let greeting = try await run(["/bin/sh", "-c", "echo Welcome to Debian"])
        #expect(greeting.exitCode == ExitCode.unavailable.rawValue)
        #expect(greeting.errorOutput.contains("does not answer as a pipe; hint: see what the command prints"))
        let other = try await run([program, "pipe", "--folder", carriage.folders[1], "--name", "others"])
        #expect(other.exitCode == ExitCode.unavailable.rawValue)
        #expect(other.errorOutput.contains("the other end carries another group; hint: set the same stream.name"))
        let absent = try await run(["/absent/ssh", "desktop"])
        #expect(absent.exitCode == ExitCode.unavailable.rawValue)
        #expect(absent.errorOutput.contains("'/absent/ssh' cannot be started: no such file or directory"))
        let failed = try await run(["/bin/sh", "-c", "exit 255"])
        #expect(failed.exitCode == ExitCode.unavailable.rawValue)
        #expect(failed.errorOutput.contains("'/bin/sh' ended with exit code 255"))
        let none = try await Program.run(program, ["pipe"])
        #expect(none.exitCode == ExitCode.usage.rawValue && none.errorOutput.contains("the pipe needs a folder"))
        #expect(carriage.names(0, "device.0000000000000001") == [])
    }

    @Test func `a pipe reads the configuration, and carries what it can read`() async throws {
        let carriage = try Carriage(folders: 2)
        let directory = try TemporaryDirectory()
        let sealed = FakeReplicaStore.seal(.device(1), 1)
        let name = "00000000000000000001.\(Hexadecimal.encode(sealed.suffix(16))).sealed"
        try carriage.write(sealed, 0, "device.0000000000000001", name)
        try carriage.write(sealed, 0, "device.0000000000000002", name)
        let configurations = try carriage.folders.map { folder in
            try directory.write(
                "folder: \(folder)\nstream: {name: \(DeviceGroup.name)}\n", to: "\(folder.suffix(1)).yaml")
        }
        // Root can read every file, so the program runs as another user.
        let command = """
            chmod 755 '\(carriage.folders[0])/..' && chmod -R go+rX '\(carriage.folders[0])'
            chmod 700 '\(carriage.group(0))/device.0000000000000002'
            chmod 777 '\(carriage.folders[1])' && chmod 755 '\(directory.path)' && chmod 644 '\(directory.path)'/*
            exec setpriv --reuid 65534 --clear-groups -- '\(try Self.program())' --config '\(configurations[0])' pipe \
                -- '\(try Self.program())' --config '\(configurations[1])' pipe
            """
        guard geteuid() == 0 else { return }
        let pipe = try RunningProgram("/bin/sh", ["-c", command])
        try await eventually("the first file is carried") {
            carriage.names(1, "device.0000000000000001") == [name]
        }
        #expect(carriage.names(1, "device.0000000000000002") == [])
        #expect(pipe.isRunning && pipe.errorOutput.contains("cannot be read by this user"), "\(pipe.errorOutput)")
        chmod("\(carriage.group(0))/device.0000000000000002", 0o755)
        try await eventually("the second file is carried", within: .seconds(30)) {
            carriage.names(1, "device.0000000000000002") == [name]
        }
        pipe.signal(SIGTERM)
    }

    @Test func `a pipe repairs a damaged file, and leaves links and removed joins alone`() async throws {
        let carriage = try Carriage(folders: 2)
        let directory = try TemporaryDirectory()
        let sealed = FakeReplicaStore.seal(.device(1), 1)
        let name = "00000000000000000001.\(Hexadecimal.encode(sealed.suffix(16))).sealed"
        let join = "join.\(String(repeating: "ab", count: 16)).request"
        let marker = "00000140737488355328.floor"
        for device in 0..<2 {
            try carriage.write(sealed, device, "device.0000000000000001", name)
        }
        try carriage.write(Array(sealed.prefix(20)), 1, "device.0000000000000001", name)
        // A marker on the first device says that the join was removed. The second device still has the request to join.
        try carriage.write([], 0, join, marker)
        try carriage.write(sealed, 1, join, name)
        try carriage.write(sealed, 0, "device.0000000000000002", name)
        #expect(symlink(directory.path, "\(carriage.group(1))/device.0000000000000002") == 0)
        let pipe = try Self.start(carriage.folders[0], carriage.folders[1])
        try await eventually("the damaged file is repaired") {
            try carriage.read(1, "device.0000000000000001", name) == sealed
        }
        try await eventually("the marker is carried") { carriage.names(1, join).contains(marker) }
        #expect(carriage.names(0, join) == [marker])
        // A folder that is a link is not followed.
        #expect(try directory.names() == [])
        #expect(pipe.isRunning, "\(pipe.errorOutput)")
        pipe.signal(SIGTERM)
    }

    @Test func `an end that sends damaged or unknown files writes nothing`() async throws {
        let carriage = try Carriage(folders: 1)
        let directory = try TemporaryDirectory()
        let sealed = FakeReplicaStore.seal(.device(1), 1)
        let name = "00000000000000000001.\(Hexadecimal.encode(sealed.suffix(16))).sealed"
        func frame(_ content: [UInt8]) -> [UInt8] {
            var bytes: [UInt8] = []
            bytes.append(bigEndian: UInt32(content.count))
            return bytes + content
        }
        let hello = frame([1] + Array("GSPIPE".utf8) + [1] + Array(DeviceGroup.name.utf8))
        func run(_ frames: [UInt8]) async throws -> ProgramResult {
            let path = try directory.write(hello + frames, to: "frames")
            return try await Program.run(
                Self.program(),
                [
                    "pipe", "--folder", carriage.folders[0], "--name", DeviceGroup.name, "--",
                    "/bin/sh", "-c", "cat '\(path)'; exec cat > /dev/null",
                ])
        }
        let damaged = try await run(frame([4] + Array("device.0000000000000001/\(name)\0damaged".utf8)))
        #expect(damaged.errorOutput.contains("the other end has sent a damaged file"), "\(damaged.errorOutput)")
        let outside = try await run(
            frame([4] + Array("device.0000000000000001/../../\(name)\0".utf8) + sealed)
                + frame([4] + Array("../\(name)\0".utf8) + sealed) + frame([77, 1]) + [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(outside.errorOutput.contains("does not answer as a pipe"), "\(outside.errorOutput)")
        #expect(try directory.names() == ["frames"])
        let files = try await Program.shell("find '\(carriage.folders[0])' -type f")
        #expect(files.output == "")
    }
}
