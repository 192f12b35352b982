import GhostTestSupport
import TestBasics
import Testing

/// Files that are written to standard output, pipes and devices.
@Suite struct OutputStreamTests {
    /// Commands that write a file. `FILE` stands for its name.
    static let commands = [
        "messages export --output FILE", "backup create --output FILE", "backup download kept --output FILE",
        "logs export events FILE", "blobs export alice FILE",
    ]

    private func fill(_ control: Control) async throws {
        try await control.text("messages", "save", "alice", "--id", "m1", "hello")
        try await control.text("logs", "open", "events", "--maximum-bytes", "64KiB")
        try await control.text("logs", "append", "events", "one")
    }

    /// Runs the same command with a file and with a stream as its output.
    @Test(arguments: commands)
    func `a dash, standard output and a pipe receive the same bytes as a file`(_ command: String) async throws {
        try await withControl { control, daemon in
            try await fill(control)
            let name = try #require(try await control.json("backup", "create").first?["name"]?.text)
            let words = command.replacing("kept", with: name)
            func run(_ file: String, _ rest: String = "") -> String {
                "\"$CTL\" \(words.replacing("FILE", with: file)) \(rest)"
            }
            let script = """
                set -e; cd '\(daemon.directory.path)'
                \(run("whole")) > said 2>&1
                \(run("-", "> dash 2> told"))
                \(run("/dev/stdout", "> out 2>> told"))
                mkfifo pipe; cat pipe > piped & \(run("pipe")) > /dev/null 2>&1; wait
                \(run("/dev/null", "> /dev/null 2>&1"))
                test ! -e ./-; wc -c < whole; wc -c < dash; wc -c < out; wc -c < piped
                """
            let result = try await control.shell(script)
            #expect(result.exitCode == 0, "\(result.errorOutput) \(daemon.directory.read("said"))")
            let sizes = result.output.split(separator: "\n")
            #expect(sizes.count == 4 && Set(sizes).count == 1 && sizes.first != "0", "\(sizes)")
            // Messages of the command are not mixed with its output.
            #expect(command.hasPrefix("messages") == daemon.directory.read("told").isEmpty)
            let again = try await control.shell("cd '\(daemon.directory.path)'; \(run("whole"))")
            #expect(again.exitCode == 73 && again.errorOutput.contains("exists already; hint: give another name"))
        }
    }

    @Test func `streamed output can be read again by the commands for files`() async throws {
        try await withControl { control, daemon in
            try await fill(control)
            let script = """
                set -e; cd '\(daemon.directory.path)'
                "$CTL" backup create -o - --json > copy 2> said
                "$CTL" backup verify --file copy > /dev/null
                "$CTL" blobs export alice - | cat > blob; "$CTL" blobs inspect blob > /dev/null
                "$CTL" logs export events - | "$CTL" logs import copy -
                """
            let result = try await control.shell(script)
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            #expect(try JSON.lines(daemon.directory.read("said")).first?["is_complete"] == true)
            #expect(try await control.json("backup", "list").isEmpty)
        }
    }

    @Test func `a message about a backup in a file names the file`() async throws {
        try await withControl { control, daemon in
            let made = try await control.text("backup", "create", "--output", daemon.directory.file("copy"))
            #expect(made.contains("the backup is in \(daemon.directory.file("copy"))"))
            let restored = try await control.json(
                "backup", "restore", "--file", daemon.directory.file("copy"), "--replace")
            #expect((restored.first?["database_bytes"]?.integer ?? 0) > 0)
            let refused = try await control.run("backup", "restore", "--file", daemon.directory.file("copy"))
            #expect(refused.exitCode == 3 && refused.errorOutput.contains("--replace"), "\(refused.errorOutput)")
            let tiny = try daemon.directory.write([1], to: "tiny")
            let none = try await control.run("backup", "upload", tiny)
            let hint = "is a backup that 'backup create' made"
            #expect(none.exitCode == 65 && none.errorOutput.contains(hint), "\(none.errorOutput)")
        }
    }
}
