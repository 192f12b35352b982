import FoundationEssentials
import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

@Suite struct StatusCommandTests {
    @Test func `status shows every state of the store`() async throws {
        try await withUninitializedControl { control, _ in
            #expect(try await control.text("status").contains("store        absent"))
            let status = try await control.json("status")
            #expect(status.first?["store_state"] == "absent")
            #expect(status.first?["protocol_version"] == 1)
            #expect(try await control.run("status", "--require-open").exitCode == 3)
        }
        try await withControl { control, _ in
            let status = try await control.text("status", "--require-open")
            #expect(status.contains("open"))
        }
    }

    @Test func `clients lists each connection with its properties`() async throws {
        try await withControl { control, daemon in
            var configuration = ClientConfiguration()
            configuration.clientName = "a name"
            let client = try await daemon.connect(configuration: configuration)
            _ = try await client.statistics()
            let clients = try await control.json("clients")
            #expect(clients.map { $0["client_name"]?.text?.prefix(6) } == ["a name", "ghosts"], "\(clients)")
            #expect(clients.first?["process_id"]?.integer == Int64(getpid()))
            #expect(clients.first?["uid"]?.integer == Int64(getuid()) && clients.first?["request_count"] == 2)
            #expect((clients.first?["connected_at_microseconds"]?.integer ?? 0) > 0)
            let table = try await control.text("clients")
            #expect(table.contains("NAME") && table.contains("a name"), "\(table)")
            await client.close()
            try await eventually("a closed connection is listed no more") {
                try await control.json("clients").count == 1
            }
        }
    }

    @Test func `the metrics contain the time of the newest backup, even if it was only exported`() async throws {
        try await withControl { control, daemon in
            func newest() async throws -> Int64? {
                let samples = try await control.json("metrics")
                let sample = samples.first { $0["name"] == "ghoststore_backup_newest_timestamp_seconds" }
                return sample?["value"]?.integer
            }
            #expect(try await newest() == 0)
            let before = Int64(Date().timeIntervalSince1970)
            try await control.text("backup", "create", "--output", daemon.directory.file("copy"))
            let fetched = try #require(try await newest())
            #expect(fetched >= before && fetched <= Int64(Date().timeIntervalSince1970))
            try await control.text("backup", "create")
            let kept = try #require(try await newest())
            #expect(kept >= fetched)
            try await daemon.restart()
            #expect(try await newest() == kept)
            let folder = "\(daemon.stateDirectory)/backups"
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            #expect(try await newest() == 0)
        }
    }

    @Test func `stats count what was saved`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "hello")
            try await control.text("contacts", "save", "bob")
            let stats = try await control.json("stats")
            #expect(stats.first?["conversation_count"] == 1)
            #expect(stats.first?["message_count"] == 1)
            #expect(stats.first?["contact_count"] == 1)
            #expect(stats.first?["unread_count"] == 1)
            #expect(try await control.text("stats").contains("unread             1"))
        }
    }

    @Test func `metrics are Prometheus text`() async throws {
        try await withControl { control, _ in
            let text = try await control.text("metrics")
            #expect(text.hasPrefix("# HELP "))
            let samples = try await control.json("metrics")
            let hello = samples.first { $0["labels"]?["call"] == "hello" && $0["labels"]?["outcome"] == "success" }
            #expect(hello?["name"] == "ghoststore_requests_total" && (hello?["value"]?.integer ?? 0) > 0)
            #expect(samples.allSatisfy { $0.names == ["name", "labels", "value"] })
        }
    }

    @Test func `metrics can be OpenMetrics, or a file that is replaced atomically`() async throws {
        try await withControl { control, _ in
            let text = try await control.text("metrics", "--openmetrics")
            #expect(text.contains("# TYPE ghoststore_requests counter\n") && text.hasSuffix("\n# EOF\n"))
            let folder = try TemporaryDirectory()
            let file = folder.file("ghoststore.prom")
            for _ in 0..<2 {
                #expect(try await control.text("metrics", "--textfile", file) == "")
                let written = folder.read("ghoststore.prom")
                #expect(written.hasPrefix("# HELP ghoststore_requests_total ") && !written.contains("# EOF"))
            }
            #expect(folder.mode(of: "ghoststore.prom") == 0o644)
            #expect(try folder.names() == ["ghoststore.prom"])
            #expect(try await control.run("metrics", "--textfile", file, "--openmetrics").exitCode == 64)
        }
    }

    @Test func `status and metrics show the size and the limit of each area`() async throws {
        var options = TestDaemonOptions()
        options.environment = ["GHOSTSTORE_FILES_CACHE_BYTES": "1000000", "GHOSTSTORE_FILES_TEMPORARY_BYTES": "2000"]
        try await withDaemon(options) { daemon in
            let control = Control(daemon)
            let file = try daemon.directory.write([UInt8](repeating: 7, count: 1_500), to: "file")
            try await control.text("files", "put", file, "cache/one")
            try await control.text("files", "put", file, "document/two")
            let areas = try await control.json("status").first?["file_areas"]?.array ?? []
            #expect(areas == (try await control.json("files", "usage")))
            #expect(areas.map { $0["bytes"] } == [1_500, 1_500, 0, 0, 0])
            #expect(areas.map { $0["bytes_max"] } == [1_000_000, 0, 0, 0, 2_000])
            let text = try await control.text("status")
            for line in ["files in cache      1, 1.5 KiB of at most 976.6 KiB\n", "files in document   1, 1.5 KiB\n"] {
                #expect(text.contains(line), "\(text)")
            }
            #expect(text.contains("files in temporary  0") && !text.contains("files in library"), "\(text)")
            let metrics = try await control.text("metrics").split(separator: "\n")
            for line in [
                "ghoststore_files{area=\"cache\"} 1", "ghoststore_file_bytes{area=\"cache\"} 1500",
                "ghoststore_file_limit_bytes{area=\"temporary\"} 2000",
            ] {
                #expect(metrics.contains(Substring(line)))
            }
            try await control.text("lock")
            #expect(try await control.json("status").first?["file_areas"]?.array == [])
        }
    }

    @Test func `check of a healthy store is clean`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "hello")
            #expect(try await control.text("check").contains("clean  yes"))
            let report = try await control.json("check")
            #expect(report.first?["is_clean"] == true)
            #expect(report.first?["rows_checked"]?.integer ?? 0 > 0)
        }
    }

    @Test func `clear-all-data asks for a confirmation, and needs --yes without a terminal`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "hello")
            let refused = try await control.shell("setsid -w \"$CTL\" clear-all-data")
            #expect(refused.exitCode == 64)
            #expect(refused.errorOutput.contains("--yes"))
            #expect(try await control.json("stats").first?["message_count"] == 1)
            try await control.text("clear-all-data", "--yes")
            #expect(try await control.json("stats").first?["message_count"] == 0)
            #expect(try await control.json("clear-all-data", "--yes").first?["revision"] != nil)
        }
    }

    @Test func `locking fails if there is no store`() async throws {
        try await withUninitializedControl { control, _ in
            let result = try await control.run("lock")
            #expect(result.exitCode == 3, "\(result.errorOutput)")
            // A person who tries to lock a store gets no advice about creating one or about the disk.
            let message = "ghoststorectl: there is no store yet, so there is nothing to lock"
            #expect(result.errorOutput == message + " [FAILED_PRECONDITION STORE_ABSENT]\n")
        }
    }

    @Test func `status for people shows no revision of a locked store`() async throws {
        try await withControl { control, _ in
            #expect(try await control.text("status").contains("revision"))
            try await control.text("lock")
            #expect(try await control.text("lock") == "the store is locked\n")
            #expect(!(try await control.text("status").contains("revision")))
        }
    }
}
