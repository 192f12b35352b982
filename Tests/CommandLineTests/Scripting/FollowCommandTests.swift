import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Commands that run until something ends them.
@Suite(.timeLimit(.minutes(2))) struct FollowCommandTests {
    static let followers = [
        ["watch"], ["watch", "--count", "1"], ["scenes", "watch", "main"], ["logs", "follow", "events"],
        ["messages", "follow", "alice"],
    ]

    /// The timeout also limits the time to connect, so it must not be too short for a slow machine.
    @Test func `--timeout ends a command that follows, even after fractions of a second`() async throws {
        try await withControl { control, _ in
            try await control.text("logs", "open", "events", "--maximum-bytes", "1MiB")
            try await control.text("messages", "save", "alice", "hi")
            let start = ContinuousClock.now
            let running = try Self.followers.map { words in
                try RunningProgram(
                    Control.path, words + ["--timeout", "2.5"], environment: ["GHOSTSTORE_SOCKET": control.socketPath])
            }
            for (words, program) in zip(Self.followers, running) {
                let result = try await program.wait()
                #expect(result.exitCode == 75, "\(words): \(result.errorOutput)")
                #expect(result.errorOutput.contains("--timeout") && result.errorOutput.contains("DEADLINE_EXCEEDED"))
                #expect(ContinuousClock.now - start >= .milliseconds(2_500))
            }
        }
    }

    @Test func `commands that follow continue after a restart and an unlock`() async throws {
        try await withUninitializedControl { control, daemon in
            let file = try daemon.directory.write(Array("sesame street".utf8), to: "passphrase")
            try await control.text("init", "--low-cost", "--passphrase-file", file)
            try await control.text("logs", "open", "events", "--maximum-bytes", "1MiB")
            try await control.text("logs", "append", "events", "one")
            let watch = try control.start("watch", "--kind", "contact", "--count", "2")
            let follow = try control.start("logs", "follow", "events", "--after", "0", "--raw", "--count", "2")
            try await eventually("both follow") {
                watch.errorOutput.contains("watching") && follow.output == "one\n"
            }
            try await control.text("contacts", "save", "bob")
            try await eventually("the first change is told") { watch.output.contains("contact created") }
            try await daemon.terminate()
            try await daemon.startAgain()
            for program in [watch, follow] {
                try await eventually("it says that it waits") { program.errorOutput.contains("the store is locked") }
            }
            try await control.text("unlock", "--passphrase-file", file)
            try await control.text("contacts", "save", "carl")
            try await control.text("logs", "append", "events", "two")
            let watched = try await watch.wait()
            #expect(watched.exitCode == 0 && watched.output.split(separator: "\n").count == 2, "\(watched)")
            let followed = try await follow.wait()
            #expect(followed.exitCode == 0 && followed.output == "one\ntwo\n", "\(followed)")
        }
    }

    @Test func `a watch resumes at its position, even if no change passed its filter`() async throws {
        try await withUninitializedControl { control, daemon in
            let file = try daemon.directory.write(Array("sesame street".utf8), to: "passphrase")
            try await control.text("init", "--low-cost", "--passphrase-file", file)
            let watch = try control.start("watch", "--kind", "contact", "--count", "1")
            try await eventually("it watches") { watch.errorOutput.contains("watching") }
            let client = try await daemon.connect()
            // The daemon reports the position of a watch about every 10,000 revisions.
            for _ in 0..<60 {
                try await client.saveMessages(
                    (0..<250).map { NewMessage(conversation: .sessionID("alice"), text: "\($0)") })
            }
            try await client.compactChanges(through: 5_000)
            try await control.text("lock")
            try await eventually("it waits") { watch.errorOutput.contains("the store is locked") }
            try await control.text("unlock", "--passphrase-file", file)
            try await control.text("contacts", "save", "bob")
            let watched = try await watch.wait()
            #expect(watched.exitCode == 0 && watched.output.contains("contact created"), "\(watched)")
            await client.close()
        }
    }

    @Test func `a command that begins to follow a locked store fails`() async throws {
        try await withControl { control, _ in
            try await control.text("lock")
            #expect(try await control.run("watch").exitCode == 3)
            #expect(try await control.run("messages", "follow").exitCode == 3)
        }
    }

    @Test func `messages follow prints texts, and on request begins with the newest`() async throws {
        try await withControl { control, _ in
            for text in ["one", "two", "three"] {
                try await control.text("messages", "save", "alice", "--sender", "alice", text)
            }
            let alice = try control.start("messages", "follow", "alice", "--last", "2", "--count", "2")
            let all = try control.start("messages", "follow", "--count", "3", "--json")
            try await eventually("both follow") {
                alice.output.split(separator: "\n").count == 2 && all.errorOutput.contains("watching")
            }
            try await control.text("messages", "save", "bob", "other")
            try await control.text("messages", "save", "alice", "--id", "m4", "four\u{1B}[2J")
            try await control.text("messages", "edit", "m4", "changed")
            try await control.text("messages", "save", "alice", "--outgoing", "--recipient", "alice", "five")
            let shown = try await alice.wait().output.split(separator: "\n")
            #expect(shown.count == 4, "\(shown)")
            #expect(shown.first?.hasSuffix("← alice: two") == true)
            #expect(shown.last?.hasSuffix("→ alice: five") == true)
            #expect(!shown.joined().contains("\u{1B}"))
            let objects = try JSON.lines(try await all.wait().output)
            #expect(objects.count == 3 && objects.first?["text"] == "other")
        }
    }
}
