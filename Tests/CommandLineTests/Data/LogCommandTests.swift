import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

@Suite struct LogCommandTests {
    @Test func `a log is opened, appended, read, listed and deleted`() async throws {
        try await withControl { control, _ in
            try await control.text("logs", "open", "events", "--maximum-bytes", "1000", "--overwrite")
            let appended = try #require(try await control.json("logs", "append", "events", "one", "two").first)
            #expect(appended["first_sequence"] == 1 && appended["last_sequence"] == 2)
            try await control.text("logs", "append", "events", input: "three\nfour\n")
            #expect(try await control.text("logs", "read", "events") == "1  one\n2  two\n3  three\n4  four\n")
            #expect(try await control.text("logs", "read", "events", "--limit", "2", "--raw") == "one\ntwo\n")
            let rest = try await control.json("logs", "read", "events", "--after", "3")
            #expect(rest.map { $0["text"] } == ["four"] && rest.first?["sequence"] == 4)
            let followed = try await control.text("logs", "follow", "events", "--after", "0", "--count", "3")
            #expect(followed == "1  one\n2  two\n3  three\n")
            let log = try #require(try await control.json("logs", "info", "events").first)
            #expect(log["messages"] == 4 && log["maximum_bytes"] == 1_000 && log["overwrites_oldest"] == true)
            #expect(try await control.json("logs", "list").count == 1)
            for options in [["999", "--overwrite"], ["1000"]] {
                let other = try await control.run(["logs", "open", "events", "--maximum-bytes"] + options)
                #expect(other.exitCode == 3 && other.errorOutput.contains("LOG_NOT_WRITABLE"), "\(other.errorOutput)")
                #expect(other.errorOutput.contains("--maximum-bytes 1000 --overwrite"), "\(other.errorOutput)")
            }
            try await control.text("logs", "open", "events", "--maximum-bytes", "1000", "--overwrite")
            try await control.text("logs", "delete", "events")
            #expect(try await control.run("logs", "info", "events").exitCode == 2)
            #expect(try await control.text("logs", "list") == "no logs\n")
        }
    }

    @Test func `messages are appended with metadata, which are shown`() async throws {
        try await withControl { control, daemon in
            try await control.text("logs", "open", "events", "--maximum-bytes", "1000")
            let metadata = try daemon.directory.write(Array("{\"a\": 1}".utf8), to: "metadata")
            try await control.text(
                "logs", "append", "events", "--metadata", metadata, "--metadata-type", "application/json",
                input: "one\ntwo\n")
            try await control.text("logs", "append", "events", "three", "--metadata", "-", input: "x")
            try await control.text("logs", "append", "events", "four")
            let shown = """
                1  one  (metadata: 8 B, application/json)
                2  two  (metadata: 8 B, application/json)
                3  three  (metadata: 1 B)
                4  four\n
                """
            #expect(try await control.text("logs", "read", "events") == shown)
            let followed = try await control.text("logs", "follow", "events", "--after", "0", "--count", "4")
            #expect(followed == shown)
            #expect(try await control.text("logs", "read", "events", "--raw") == "one\ntwo\nthree\nfour\n")
            let entries = try await control.json("logs", "read", "events")
            #expect(entries.map { $0["metadata"] } == ["eyJhIjogMX0=", "eyJhIjogMX0=", "eA==", nil])
            #expect(entries.map { $0["metadata_type"] } == ["application/json", "application/json", nil, nil])
            let rows = try await control.text(
                "logs", "read", "events", "--format", "csv", "--limit", "1")
            #expect(rows.contains(",metadata,metadata_type"), "\(rows)")
            #expect(rows.contains(",eyJhIjogMX0=,application/json"), "\(rows)")
            for (arguments, input, status) in [
                (["--metadata", "-"], "one\n", 64), (["one", "--metadata-type", "a/b"], "", 64),
                (["one", "--metadata", "-"], "", 65),
            ] as [([String], String, Int32)] {
                let refused = try await control.run(["logs", "append", "events"] + arguments, input: Array(input.utf8))
                #expect(refused.exitCode == status, "\(refused.errorOutput)")
            }
            #expect(try await control.json("logs", "info", "events").first?["messages"] == 4)
        }
    }

    @Test func `any number of lines is appended, each line without a change`() async throws {
        try await withControl { control, _ in
            try await control.text("logs", "open", "events", "--maximum-bytes", "8MiB")
            for count in [1, 255, 256, 257, 10_000] {
                let result = try await control.shell("seq 1 \(count) | \"$CTL\" logs append events --json")
                let told = try JSON.lines(result.output).first?["messages"]?.integer
                #expect(told == Int64(count), "\(result.errorOutput)")
            }
            let stored = try await control.shell(
                "\"$CTL\" logs read events --all --raw | tail -n 10000 | cmp - <(seq 1 10000)")
            #expect(stored.exitCode == 0, "\(stored.output)")
            try await control.text("logs", "append", "events", input: "with\r\nwithout")
            let last = try await control.json("logs", "read", "events", "--after", "10769")
            #expect(last.map { $0["text"]?.text } == ["with\r", "without"])
            let large = try await control.shell(
                """
                for n in $(seq 1 5); do head -c 1500000 /dev/zero | tr '\\0' $n; echo; done | "$CTL" logs append events
                """)
            #expect(large.output == "appended 5 messages: sequence numbers 10772 to 10776\n", "\(large.errorOutput)")
        }
    }

    @Test func `a failed append reports how many messages were appended`() async throws {
        try await withControl { control, _ in
            try await control.text("logs", "open", "events", "--maximum-bytes", "1MiB")
            let early = try await control.shell("{ seq 1 100; echo; } | \"$CTL\" logs append events")
            #expect(early.exitCode == 65, "\(early.errorOutput)")
            #expect(early.errorOutput.contains("line 101 is empty; nothing was appended; hint: "))
            let late = try await control.shell("{ seq 1 600; echo; seq 9; } | \"$CTL\" logs append events")
            #expect(late.exitCode == 65, "\(late.errorOutput)")
            #expect(
                late.errorOutput.contains("line 601 is empty; the first 512 messages have been appended"),
                "\(late.errorOutput)")
            #expect(try await control.json("logs", "info", "events").first?["messages"] == 512)
            try await control.text("logs", "open", "small", "--maximum-bytes", "16KiB")
            let full = try await control.shell("seq 100000 109999 | \"$CTL\" logs append small")
            let count = try #require(try await control.json("logs", "info", "small").first?["messages"]?.integer)
            #expect(full.exitCode == 3 && count > 0, "\(full.errorOutput)")
            #expect(full.errorOutput.contains("the first \(count) messages have been appended"), "\(full.errorOutput)")
        }
    }

    @Test func `a log is exported and imported`() async throws {
        try await withControl { control, daemon in
            let path = daemon.directory.path + "/events.cache"
            try await control.text("logs", "open", "events", "--maximum-bytes", "1000")
            try await control.text("logs", "append", "events", "one", "two")
            try await control.text("logs", "export", "events", path)
            #expect(try await control.run("logs", "export", "events", path).exitCode == 73)
            try await control.text("logs", "import", "copy", path)
            try await control.text("logs", "open", "small", "--maximum-bytes", "500")
            let refused = try await control.run("logs", "import", "small", path)
            #expect(refused.exitCode == 3 && refused.errorOutput.contains("LOG_NOT_WRITABLE"), "\(refused.errorOutput)")
            #expect(try await control.json("logs", "info", "small").first?["messages"] == 0)
            #expect(try await control.text("logs", "read", "copy", "--raw") == "one\ntwo\n")
            let damaged = try daemon.directory.write(
                [UInt8](try Data(contentsOf: URL(filePath: path)).dropLast()), to: "damaged.cache")
            #expect(try await control.run("logs", "import", "other", damaged).exitCode == 4)
            #expect(try await control.run("logs", "info", "other").exitCode == 2)
        }
    }

    @Test func `an import that is too large for the room in a log appends nothing`() async throws {
        try await withControl { control, daemon in
            let path = daemon.directory.path + "/events.cache"
            try await control.text("logs", "open", "events", "--maximum-bytes", "30000")
            for start in stride(from: 0, to: 1_500, by: 250) {
                let lines = (start..<(start + 250)).map { "line \($0)\n" }.joined()
                try await control.text("logs", "append", "events", input: lines)
            }
            try await control.text("logs", "export", "events", path)
            try await control.text("logs", "open", "other", "--maximum-bytes", "30000")
            for _ in 0..<4 {
                try await control.text(
                    "logs", "append", "other", input: String(repeating: "twelve bytes\n", count: 200))
            }
            let refused = try await control.run("logs", "import", "other", path)
            #expect(refused.exitCode == 3 && refused.errorOutput.contains("nothing was appended"))
            #expect(try await control.json("logs", "info", "other").first?["messages"] == 800)
            let empty = try daemon.directory.write([], to: "empty.cache")
            #expect(try await control.text("logs", "import", "other", empty) == "imported 0 messages\n")
        }
    }

    @Test func `an empty line is rejected with its number, and nothing is appended`() async throws {
        try await withControl { control, _ in
            try await control.text("logs", "open", "events", "--maximum-bytes", "1000")
            let refused = try await control.run("logs", "append", "events", input: "one\n\nthree\n")
            #expect(refused.exitCode == 65 && refused.errorOutput.contains("line 2 is empty"))
            #expect(try await control.run("logs", "append", "events", input: "\n").exitCode == 65)
            #expect(try await control.run("logs", "append", "events", input: "").exitCode == 65)
            #expect(try await control.json("logs", "info", "events").first?["messages"] == 0)
            try await control.text("logs", "append", "events", input: "one\ntwo")
            #expect(try await control.text("logs", "read", "events", "--raw") == "one\ntwo\n")
        }
    }

    @Test func `an append to a full log has the exit status of a failed precondition`() async throws {
        try await withControl { control, _ in
            try await control.text("logs", "open", "small", "--maximum-bytes", "70")
            try await control.text("logs", "append", "small", "ab")
            #expect(try await control.run("logs", "append", "small", "c").exitCode == 3)
            #expect(try await control.run("logs", "append", "small", "too large").exitCode == 65)
        }
    }
}
