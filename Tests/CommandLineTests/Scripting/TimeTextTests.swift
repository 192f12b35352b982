import GhostTestSupport
import Testing

/// Times on the command line, in a time zone that is 5 h 30 min ahead of UTC.
@Suite struct TimeTextTests {
    private static let zone = ["TZ": "XYZ-5:30"]

    static let times: [(text: String, microseconds: Int64)] = [
        ("2026-11-21T03:54:01Z", 1_795_233_241_000_000), ("2026-11-21T03:54:01.00025z", 1_795_233_241_000_250),
        ("2026-11-21 03:54:01Z", 1_795_233_241_000_000), ("2026-11-21T03:54Z", 1_795_233_240_000_000),
        ("2026-11-21T03:54+01:00", 1_795_229_640_000_000), ("2026-11-21 03:54:01 -01:00", 1_795_236_841_000_000),
        ("2026-11-21 09:24:01.000250 +05:30", 1_795_233_241_000_250),
        // Times without a zone are local times, as tables on a terminal print them.
        ("2026-11-21 09:24", 1_795_233_240_000_000), ("2026-11-21 09:24:01", 1_795_233_241_000_000),
        ("2026-11-21T09:24", 1_795_233_240_000_000), ("2026-11-21T09:24:01.5", 1_795_233_241_500_000),
        ("2026-11-21", 1_795_199_400_000_000),
        // Seconds as GNU date and systemd write them, and microseconds as --json prints them.
        ("@1795233241", 1_795_233_241_000_000), ("@1795233241.5", 1_795_233_241_500_000), ("@-1.5", -1_500_000),
        ("@-0.25", -250_000), ("@1795233241000250us", 1_795_233_241_000_250), ("@-1us", -1),
    ]

    /// Saves a message with each time in one shell, and returns the stored times.
    private func stored(_ texts: [String], _ control: Control) async throws -> [Int64?] {
        let lines = texts.enumerated().map { "messages save alice --id m\($0.offset) --time '\($0.element)' x\n" }
        let saved = try await control.run("shell", input: lines.joined(), environment: Self.zone)
        #expect(saved.exitCode == 0, "\(saved.errorOutput)")
        let found = try await control.json("messages", "list", "alice", "--limit", "1000")
        let times = Dictionary(
            found.map { ($0["id"]?.text, $0["timestamp_microseconds"]?.integer) }, uniquingKeysWith: { $1 })
        return texts.indices.map { times["m\($0)"] ?? nil }
    }

    @Test func `times are read as tables, programs and people write them`() async throws {
        try await withControl { control, _ in
            let found = try await stored(Self.times.map(\.text), control)
            for ((text, microseconds), read) in zip(Self.times, found) {
                #expect(read == microseconds, "\(text)")
            }
        }
    }

    @Test func `a time that a table prints on a terminal is read as the same minute`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "--id", "m", "--time", "2026-11-21T03:54:00Z", "x")
            let terminal = Self.zone.merging(["NO_COLOR": "1"]) { $1 }
            let table = try await control.onTerminal("messages list alice", environment: terminal)
            let shown = try #require(table.split(whereSeparator: \.isNewline).dropFirst().first?.prefix(16))
            for (option, count) in [("--from", 1), ("--until", 0)] {
                let found = try await control.run(
                    "messages", "list", "alice", option, String(shown), "--json", environment: Self.zone)
                #expect(try JSON.lines(found.output).count == count, "\(shown): \(found.errorOutput)")
            }
        }
    }

    @Test func `relative times accept named units, and days begin at local midnight`() async throws {
        try await withControl { control, _ in
            func midnight(_ days: Int) async throws -> Int64 {
                let date = try await control.shell("date -d '\(days) days 0:00' +%s", environment: Self.zone)
                return try #require(Int64(date.output.dropLast())) * 1_000_000
            }
            let days = [("today", 0), ("yesterday", -1), ("tomorrow", 1)]
            for ((text, days), read) in zip(days, try await stored(days.map(\.0), control)) {
                #expect(try await read == midnight(days), "\(text)")
            }
            let spans: [(String, Int64)] = [
                ("now", 0), ("-2d", -172_800), ("-2days", -172_800), ("-1day", -86_400), ("2 days ago", -172_800),
                ("-90s", -90), ("-90sec", -90), ("+15min", 900), ("-1h", -3_600), ("-3hours", -10_800),
                ("-1week", -604_800), ("+2 weeks", 1_209_600),
            ]
            let times = try await stored(spans.map(\.0), control)
            let now = try #require(times[0])
            for ((text, seconds), read) in zip(spans, times) {
                let found = try #require(read, "\(text)")
                #expect((0..<60_000_000).contains(found - now - seconds * 1_000_000), "\(text)")
            }
        }
    }

    @Test(arguments: [
        "", "@", "@1.", "@.5", "@1.0000000", "@1s", "@us", "@1.5us", "@1795233241000250", "@99999999999999999999",
        "-2y", "-", "- 2d", "days", "2d", "2026-02-30", "2026-11-21 24:00", "2026-11-21T9:24", "2026-11-21  09:24",
        "2026-11-21 09:24 PM", "2026-11-21 09:24 XYZ", "2026-11", "20261121", "09:24", "Today", "now ",
        "-9999999999999w",
    ])
    func `an error about an invalid time lists the valid forms`(_ text: String) async throws {
        let result = try await Control.run(["messages", "list", "alice", "--socket", "/none", "--from=\(text)"])
        #expect(result.exitCode == 64 && result.errorOutput.contains("yesterday"), "\(result.errorOutput)")
    }

    @Test func `changes can be listed from a given time on`() async throws {
        try await withControl { control, _ in
            for number in 0..<20 {
                try await control.text("messages", "save", "alice", "--id", "m\(number)", "x")
            }
            let all = try await control.json("changes", "list", "--kind", "message", "--all")
            let times = all.compactMap { $0["committed_at_microseconds"]?.integer }
            for index in [0, 7, 19] {
                let found = try await control.json(
                    "changes", "list", "--kind", "message", "--all", "--from", "@\(times[index])us")
                #expect(found.map { $0["id"] } == all[index...].map { $0["id"] })
            }
            #expect(try await control.json("changes", "list", "--from", "tomorrow").isEmpty)
            #expect(try await control.json("changes", "list", "--from", "@0", "--all").count >= 20)
            #expect(try await control.run("changes", "list", "--from", "-1h", "--last", "1").exitCode == 64)
        }
    }
}
