import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(2))) struct BackupPruneTests {
    private static let day: Int64 = 86_400_000_000
    private static let hour: Int64 = 3_600_000_000
    /// 2026-03-01T00:00:00Z, in microseconds.
    private static let start: Int64 = 1_772_323_200_000_000

    /// Creates backups and changes their dates to the given times. Returns their names in the same order.
    private func makeBackups(_ control: Control, _ daemon: TestDaemon, at times: [Int64]) async throws -> [String] {
        var names: [String] = []
        for time in times {
            let name = try #require(try await control.json("backup", "create").first?["name"]?.text)
            let path = "\(daemon.stateDirectory)/backups/\(name)"
            // The time is at byte 48 of the footer, which is the last 120 bytes (proto-docs/BACKUP.md).
            let digits = (0..<8).map { String(format: UInt64(bitPattern: time) >> (56 - 8 * UInt64($0)) & 0xff) }
            let escapes = digits.map { "\\\($0)" }.joined()
            let result = try await Program.shell(
                "printf '\(escapes)' | dd of='\(path)' bs=1 seek=$(($(stat -c %s '\(path)') - 72)) conv=notrunc")
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            names.append(name)
        }
        return names
    }

    private func names(_ control: Control) async throws -> Set<String> {
        Set(try await control.json("backup", "list").compactMap { $0["name"]?.text })
    }

    @Test func `the newest backups and the newest of each day are kept`() async throws {
        try await withControl { control, daemon in
            let times = [0, 1, 25, 26, 49, 73, 97, 98, 99].map { Self.start + $0 * Self.hour }
            let made = try await makeBackups(control, daemon, at: times)
            let listed = try await control.json("backup", "list")
            #expect(Set(listed.map { $0["created_at_microseconds"] }) == Set(times.map { .integer($0) }))
            let dropped = try await control.json(
                "backup", "prune", "--keep-last", "2", "--keep-daily", "4", "--dry-run")
            #expect(dropped.map { $0["deleted"]?.text } == [made[0], made[1], made[2], made[6]])
            #expect(dropped.allSatisfy { $0["dry_run"] == true })
            #expect(try await names(control) == Set(made))
            let text = try await control.text("backup", "prune", "--keep-last", "2", "--keep-daily", "4")
            #expect(text.split(separator: "\n").count == 4)
            #expect(try await names(control) == [made[3], made[4], made[5], made[7], made[8]])
            try await control.text("backup", "prune", "--keep-daily", "1")
            #expect(try await names(control) == [made[8]])
            #expect(try await control.text("backup", "prune", "--keep-last", "5") == "nothing to delete\n")
        }
    }

    @Test func `the newest backups of each week and of each month are kept`() async throws {
        try await withControl { control, daemon in
            // 2026-03-01 is a Sunday, the last day of its week.
            let days: [Int64] = [-60, -32, -30, -1, 0, 1, 7, 8, 31]
            let made = try await makeBackups(control, daemon, at: days.map { Self.start + $0 * Self.day })
            func left(_ option: String, _ count: String) async throws -> [Int64] {
                let dropped = try await control.json("backup", "prune", "--dry-run", option, count)
                let names = Set(dropped.compactMap { $0["deleted"]?.text })
                return zip(days, made).filter { !names.contains($0.1) }.map(\.0)
            }
            #expect(try await left("--keep-weekly", "3") == [7, 8, 31])
            #expect(try await left("--keep-weekly", "4") == [0, 7, 8, 31])
            #expect(try await left("--keep-monthly", "2") == [8, 31])
            #expect(try await left("--keep-monthly", "20") == [-60, -30, -1, 8, 31])
            try await control.text(
                "backup", "prune", "--keep-last", "3", "--keep-weekly", "2", "--keep-monthly", "3")
            #expect(try await names(control) == [made[3], made[6], made[7], made[8]])
        }
    }

    /// A backup that was made while the clock was ahead must not displace backups that were made after it.
    @Test func `a backup with a time in the future displaces no later backup`() async throws {
        try await withControl { control, daemon in
            var times = [0, 400].map { Self.start + $0 * Self.day }
            times += [1, 2, 3].map { Self.start + $0 * Self.day }
            let made = try await makeBackups(control, daemon, at: times)
            func left(_ option: String, _ count: String) async throws -> [Int] {
                let dropped = try await control.json("backup", "prune", "--dry-run", option, count)
                let names = Set(dropped.compactMap { $0["deleted"]?.text })
                return made.indices.filter { !names.contains(made[$0]) }
            }
            #expect(try await left("--keep-last", "1") == [4])
            #expect(try await left("--keep-last", "3") == [2, 3, 4])
            #expect(try await left("--keep-daily", "2") == [3, 4])
            #expect(try await left("--keep-weekly", "1") == [4])
            #expect(try await left("--keep-monthly", "1") == [4])
            #expect(try await left("--keep-monthly", "2") == [1, 4])
            // The last backup is kept even if the clock was set back.
            let behind = try await makeBackups(control, daemon, at: [Self.start - 4_000 * Self.day])
            #expect(try await left("--keep-last", "1") == [])
            try await control.text("backup", "prune", "--keep-last", "1")
            #expect(try await names(control) == Set(behind))
        }
    }

    /// A clock that was never set can give days, weeks and months before 1970.
    @Test func `weeks and months of backups before 1970 are distinguished`() async throws {
        try await withControl { control, daemon in
            // 1970-01-01 was a Thursday. The backups are from the Sunday, Monday and Wednesday before it, that
            // Thursday, and the Monday after it.
            let made = try await makeBackups(control, daemon, at: [-4, -3, -1, 0, 4].map { $0 * Self.day })
            let dropped = try await control.json("backup", "prune", "--keep-weekly", "3", "--dry-run")
            #expect(dropped.map { $0["deleted"]?.text } == [made[1], made[2]])
            let months = try await control.json("backup", "prune", "--keep-monthly", "2", "--dry-run")
            #expect(months.map { $0["deleted"]?.text } == [made[0], made[1], made[3]])
        }
    }

    @Test func `uploads and damaged backups are counted and deleted only on request`() async throws {
        try await withControl { control, daemon in
            let made = try await makeBackups(control, daemon, at: [0, 1, 2].map { Self.start + $0 * Self.day })
            let file = daemon.directory.file("copy")
            try await control.text("backup", "download", made[2], "--output", file)
            let uploaded = try #require(try await control.json("backup", "upload", file).first?["name"]?.text)
            try await control.text("rpc", #"{"begin_backup_upload": {"total_bytes": "5000"}}"#)
            // Truncates the newest backup.
            _ = try await Program.shell("truncate -s -10 '\(daemon.stateDirectory)/backups/\(made[2])'")
            let listed = try await control.json("backup", "list")
            #expect(listed.filter { $0["kind"] == "uploaded" }.count == 2)
            #expect(listed.filter { $0["is_complete"] == false }.count == 2)
            try await control.text("backup", "prune", "--keep-last", "1")
            var left = try await names(control)
            #expect(left.count == 4 && left.isSuperset(of: [made[1], made[2], uploaded]))
            try await control.text("backup", "prune", "--keep-last", "1", "--uploads")
            left = try await names(control)
            #expect(left == [made[1], made[2]])
        }
    }

    @Test(arguments: [
        [], ["--keep-last", "0"], ["--keep-daily", "0", "--keep-last", "1"], ["--keep-last", "-1"],
        ["--keep-monthly", "0"],
    ])
    func `pruning without a rule is a usage error`(arguments: [String]) async throws {
        let result = try await Control.run(["backup", "prune"] + arguments)
        #expect(result.exitCode == 64)
    }

    @Test func `the store before the last restore is listed and deleted`() async throws {
        try await withControl { control, daemon in
            let file = daemon.directory.file("copy")
            try await control.text("backup", "create", "--output", file)
            #expect(try await control.text("backup", "list") == "no backups\n")
            try await control.text("backup", "restore", "--file", file, "--replace")
            let replaced = try await control.json("backup", "list")
            #expect(replaced.map { $0["kind"] } == ["replaced_store"])
            #expect(replaced.first?["name"] == "replaced")
            let bytes = try #require(replaced.first?["bytes"]?.integer)
            let sum = "find '\(daemon.stateDirectory)/replaced' -type f -exec cat {} + | wc -c"
            #expect(try await Program.shell(sum).output == "\(bytes)\n")
            #expect(try await control.text("backup", "list").contains("replaced store"))
            #expect(try await control.run("backup", "download", "replaced", "--output", file + "2").exitCode == 2)
            try await control.text("backup", "prune", "--keep-last", "1", "--uploads")
            #expect(try await control.json("backup", "list").count == 1)
            try await control.text("backup", "delete", "replaced")
            #expect(try await control.json("backup", "list").isEmpty)
            #expect(!FileManager.default.fileExists(atPath: daemon.stateDirectory + "/replaced"))
            #expect(try await control.run("backup", "delete", "replaced").exitCode == 2)
        }
    }
}

extension String {
    /// Formats a byte as the three octal digits that printf(1) expects.
    fileprivate init(format byte: UInt64) {
        let digits = String(byte, radix: 8)
        self = String(repeating: "0", count: 3 - digits.count) + digits
    }
}
