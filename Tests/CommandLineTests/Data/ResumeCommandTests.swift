import FoundationEssentials
import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// `files put --resume` and `files get --resume` after a client or a daemon was killed.
@Suite(.timeLimit(.minutes(2))) struct ResumeCommandTests {
    /// The size of a file with several segments.
    private static let bytes = 40_000_001
    private static let place = "document/big"
    private static let partial = "document/big.put-partial"

    private func makeFile(
        _ control: Control, _ daemon: TestDaemon, _ name: String = "big", bytes: Int = bytes
    ) async throws -> String {
        let path = daemon.directory.file(name)
        let made = try await control.shell("head -c \(bytes) /dev/urandom > '\(path)'")
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        return path
    }

    private func expectSame(_ control: Control, _ file: String) async throws {
        let same = try await control.shell("\"$CTL\" files cat \(Self.place) | cmp - '\(file)'")
        #expect(same.exitCode == 0, "\(same.errorOutput)")
    }

    /// Kills the client once the daemon has a segment.
    private func breakOffPut(_ control: Control, _ daemon: TestDaemon, _ file: String) async throws {
        let running = try control.start("files", "put", "--resume", file, Self.place)
        try await eventually("a segment is there") {
            try await control.run("files", "stat", Self.partial).exitCode == 0
        }
        running.signal(SIGKILL)
        _ = try await running.wait()
    }

    @Test func `a put resumes after the existing bytes if its client was killed`() async throws {
        try await withControl { control, daemon in
            let file = try await makeFile(control, daemon)
            try await breakOffPut(control, daemon, file)
            #expect(try await control.run("files", "stat", Self.place).exitCode == 2)
            let told = try await control.json("files", "put", "--resume", file, Self.place)
            #expect((told.first?["resumed_at"]?.integer ?? 0) >= 16 << 20, "\(told)")
            #expect(told.first?["bytes"] == .integer(Int64(Self.bytes)))
            try await expectSame(control, file)
            #expect(try await control.json("files", "ls", "document").map { $0["name"] } == ["big"])
            // Small files, and files that replace an existing one.
            let small = try daemon.directory.write([1, 2, 3], to: "small")
            let empty = try daemon.directory.write([], to: "empty")
            for path in [small, empty] {
                #expect(try await control.json("files", "put", "--resume", path, Self.place).first?["resumed_at"] == 0)
                try await expectSame(control, path)
            }
        }
    }

    @Test func `a put resumes if the daemon was killed, but never after bytes of another file`() async throws {
        try await withControl { control, daemon in
            let file = try await makeFile(control, daemon)
            let running = try control.start("files", "put", "--resume", file, Self.place)
            try await eventually("a segment is there") {
                try await control.run("files", "stat", Self.partial).exitCode == 0
            }
            try await daemon.kill9()
            running.signal(SIGKILL)
            _ = try await running.wait()
            try await daemon.startAgain()
            let other = try await makeFile(control, daemon, "other")
            let refused = try await control.run("files", "put", "--resume", other, Self.place)
            #expect(refused.exitCode == 65 && refused.errorOutput.contains("is not the beginning of"))
            try await control.text("files", "put", "--resume", file, Self.place)
            try await expectSame(control, file)
            #expect(try await control.run("check").exitCode == 0)
            #expect(try await control.run("files", "put", "--resume", "-", Self.place, input: "x").exitCode == 64)
        }
    }

    /// Kills the client once it has recorded a finished part.
    private func breakOffGet(_ control: Control, _ output: String) async throws {
        let running = try control.start("files", "get", "--resume", Self.place, output)
        try await eventually("a part is noted") {
            FileManager.default.contents(atPath: output + ".part-of").map { !$0.isEmpty } ?? false
        }
        running.signal(SIGKILL)
        _ = try await running.wait()
    }

    @Test func `an interrupted get resumes if the file is unchanged`() async throws {
        try await withControl { control, daemon in
            let file = try await makeFile(control, daemon)
            try await control.text("files", "put", file, Self.place)
            let output = daemon.directory.file("out")
            try await breakOffGet(control, output)
            #expect(access(output, F_OK) != 0)
            // A restart of the daemon does not change the history of the store.
            try await daemon.restart()
            let told = try await control.json("files", "get", "--resume", Self.place, output)
            #expect((told.first?["resumed_at"]?.integer ?? 0) >= 16 << 20, "\(told)")
            let same = try await control.shell("cmp '\(output)' '\(file)'; ls '\(daemon.directory.path)'")
            #expect(same.exitCode == 0 && !same.output.contains(".part"), "\(same.output)\(same.errorOutput)")
            #expect(try await control.run("files", "get", "--resume", Self.place, output).exitCode == 73)

            // The file has changed since the transfer stopped.
            try await breakOffGet(control, output + "2")
            try await control.text("files", "put", try daemon.directory.write([1], to: "one"), Self.place)
            let anew = try await control.run("files", "get", "--resume", Self.place, output + "2", "--json")
            #expect(anew.exitCode == 0 && anew.errorOutput.contains("the transfer starts again"), "\(anew.errorOutput)")
            #expect(try JSON.lines(anew.output).first?["resumed_at"] == 0)
            #expect(daemon.directory.read("out2") == "\u{1}")

            // A file that the command did not write stays unchanged.
            try daemon.directory.write(Array("precious".utf8), to: "out3.part")
            #expect(try await control.run("files", "get", "--resume", Self.place, output + "3").exitCode == 73)
            #expect(daemon.directory.read("out3.part") == "precious")
            #expect(try await control.run("files", "get", "--resume", Self.place, "-").exitCode == 64)
        }
    }

    /// Replaces the partial file with another file of the same size as soon as the first segment exists.
    @Test func `a put fails if another client replaces the partial file`() async throws {
        try await withControl { control, daemon in
            let file = try await makeFile(control, daemon, bytes: 24 << 20)
            let other = try await makeFile(control, daemon, "other", bytes: 16 << 20)
            try await control.text("files", "put", other, "document/other")
            let client = try await daemon.connect()
            var toldCount = 0
            for _ in 0..<10 where toldCount < 2 {
                var changes = try await client.watch().makeAsyncIterator()
                let running = try control.start("files", "put", "--resume", file, Self.place)
                while let change = try await changes.next(), change.id != Self.partial {}
                running.signal(SIGSTOP)
                try await client.copyFile(
                    from: VaultPath(.document, "other"), to: VaultPath(.document, "big.put-partial"))
                running.signal(SIGCONT)
                let result = try await running.wait()
                guard result.exitCode != 0 else {
                    // The client was stopped too late: the transfer is already complete.
                    try await expectSame(control, file)
                    try await control.text("files", "rm", Self.place)
                    try await control.text("files", "rm", Self.partial)
                    continue
                }
                toldCount += 1
                let isTold = ["is not the beginning of", "FILE_CHANGED"].contains { result.errorOutput.contains($0) }
                #expect(isTold, "\(result.errorOutput)")
                #expect(try await control.run("files", "stat", Self.place).exitCode == 2)
                let same = try await control.shell("\"$CTL\" files cat \(Self.partial) | cmp - '\(other)'")
                #expect(same.exitCode == 0, "\(same.errorOutput)")
                try await control.text("files", "rm", Self.partial)
            }
            #expect(toldCount == 2)
            await client.close()
        }
    }

    /// `renameat2` fails as on a file system that does not support the requested flags.
    @Test func `a get succeeds on a file system that cannot rename without replacing`() async throws {
        try await withControl { control, daemon in
            let file = try daemon.directory.write(Array("content".utf8), to: "file")
            try await control.text("files", "put", file, Self.place)
            let (output, hit) = (daemon.directory.file("out"), daemon.directory.file("hit"))
            let environment = [
                "LD_PRELOAD": try await PreloadedLibrary.faults.path, "FAULT_FUNCTION": "renameat2", "FAULT_AT": "1",
                "FAULT_ERRNO": "\(EINVAL)", "FAULT_FOLDER": daemon.directory.path, "FAULT_HIT": hit,
            ]
            for command in [["--resume"], [], ["-r"]] {
                let isTree = command == ["-r"]
                let result = try await control.shell(
                    "\"$CTL\" files get \(command.joined()) \(isTree ? "document" : Self.place) '\(output)'",
                    environment: environment)
                #expect(result.exitCode == 0, "\(result.errorOutput)")
                #expect(access(hit, F_OK) == 0 && unlink(hit) == 0, "\(command)")
                #expect(daemon.directory.read(isTree ? "out/big" : "out") == "content")
                let left = try await control.shell("ls -A '\(daemon.directory.path)' | grep out")
                #expect(left.output == "out\n")
                #expect(try await control.shell("rm -r '\(output)'").exitCode == 0)
            }
            // The state after a kill between creating the second name of the file and removing the first.
            let killed = try await control.shell(
                "echo content > '\(output)'; ln '\(output)' '\(output).part'; echo x > '\(output).part-of'")
            #expect(killed.exitCode == 0)
            #expect(try await control.run("files", "get", "--resume", Self.place, output).exitCode == 73)
            #expect(access(output + ".part", F_OK) != 0 && access(output + ".part-of", F_OK) != 0)
            try await control.text("files", "get", "--resume", "--force", Self.place, output)
            #expect(daemon.directory.read("out") == "content")
        }
    }

    @Test func `a file that appears at the output path during a get is not replaced`() async throws {
        try await withControl { control, daemon in
            let file = try await makeFile(control, daemon, bytes: 12 << 20)
            try await control.text("files", "put", file, Self.place)
            let output = daemon.directory.file("out")
            for _ in 0..<10 {
                let running = try control.start("files", "get", "--resume", Self.place, output)
                try await eventually("a part is begun") {
                    access(output + ".part", F_OK) == 0 || access(output, F_OK) == 0
                }
                running.signal(SIGSTOP)
                // True if the client was stopped too late, because the transfer is already complete.
                let isLate = access(output, F_OK) == 0
                if !isLate {
                    try daemon.directory.write(Array("precious".utf8), to: "out")
                }
                running.signal(SIGCONT)
                #expect(try await running.wait().exitCode == (isLate ? 0 : 73))
                guard isLate, unlink(output) == 0 else { break }
            }
            #expect(daemon.directory.read("out") == "precious")
            try await control.text("files", "get", "--resume", "--force", Self.place, output)
            #expect(try await control.shell("cmp '\(output)' '\(file)'").exitCode == 0)
        }
    }
}
