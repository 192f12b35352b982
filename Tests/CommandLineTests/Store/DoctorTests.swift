import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// What `doctor` finds, on machines made for it: a person's own daemon in a home of the test's.
@Suite struct DoctorTests {
    /// Folders in which the daemon looks like that of the person's own units.
    private struct Home {
        let folder: TemporaryDirectory
        let daemon: TestDaemon

        init(_ daemon: TestDaemon) throws {
            folder = try TemporaryDirectory()
            self.daemon = daemon
            for path in ["ghoststore", "config/ghoststore", "bin"] {
                try FileManager.default.createDirectory(
                    atPath: folder.file(path), withIntermediateDirectories: true)
            }
            try FileManager.default.createSymbolicLink(
                atPath: folder.file("ghoststore/socket"), withDestinationPath: daemon.socketPath)
        }

        /// What systemd tells, and the time server.
        func tell(units: String, clock: String = "yes") throws {
            for (name, text) in [("systemctl", units), ("timedatectl", clock)] {
                let path = try folder.write(Array("#!/bin/sh\ncat <<'E'\n\(text)\nE\n".utf8), to: "bin/\(name)")
                chmod(path, 0o755)
            }
        }

        /// Each check with its state, text and command.
        func findings(_ words: String..., configuration: String? = nil) async throws -> [String: JSON] {
            let settings = configuration ?? "state_directory: \(daemon.stateDirectory)\n"
            try folder.write(Array(settings.utf8), to: "config/ghoststore/ghoststored.yaml")
            let result = try await Program.run(
                Control.path, ["doctor", "--json"] + words,
                environment: [
                    "XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": folder.file("config"),
                    "PATH": folder.file("bin") + ":/usr/bin:/bin",
                ])
            let findings = try JSON.lines(result.output)
            let hasProblem = findings.contains { $0["state"] == "problem" }
            #expect(result.exitCode == (hasProblem ? 7 : 0), "\(result)")
            #expect(findings.allSatisfy { $0["state"] != "problem" || $0["command"]?.text?.isEmpty == false })
            return Dictionary(
                findings.map { ($0["check"]?.text ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private static func units(
        service: String = "ActiveState=active\nUnitFileState=enabled\nNeedDaemonReload=no", timer: String = "inactive"
    ) -> String {
        """
        Id=ghoststored.service
        LoadState=loaded
        \(service)

        Id=ghoststored.socket
        LoadState=loaded
        ActiveState=inactive

        Id=ghoststore-backup.timer
        ActiveState=\(timer)
        """
    }

    @Test func `where all is well nothing is to mend`() async throws {
        try await withControl { control, daemon in
            let home = try Home(daemon)
            try home.tell(units: Self.units())
            try await control.text("backup", "create")
            let found = try await home.findings("--skip", "key-memory", "--skip", "disk-space")
            for check in ["configuration", "units", "socket", "clock", "daemon", "store", "state-directory", "backups"]
            {
                #expect(found[check]?["state"] == "ok", "\(check): \(String(describing: found[check]))")
            }
            #expect(found["key-memory"] == nil)
            let people = try await control.run("doctor", "--skip", "key-memory", "--skip", "disk-space")
            #expect(people.output.hasPrefix("ok       configuration    no setting"), "\(people.output)")
        }
    }

    static let unitFaults: [(String, String, String)] = [
        ("ActiveState=failed\nUnitFileState=enabled", "has failed", "systemctl --user reset-failed"),
        ("ActiveState=inactive\nUnitFileState=enabled", "neither", "systemctl --user start"),
        ("ActiveState=active\nUnitFileState=disabled", "nothing starts", "systemctl --user enable"),
        ("ActiveState=active\nUnitFileState=enabled\nNeedDaemonReload=yes", "was changed", "daemon-reload"),
    ]

    @Test func `a unit that does not do its work is a finding with its command`() async throws {
        try await withControl { _, daemon in
            let home = try Home(daemon)
            for (state, cause, command) in Self.unitFaults {
                try home.tell(units: Self.units(service: state))
                let unit = try #require(try await home.findings()["units"])
                #expect(unit["state"] == "problem" && unit["text"]?.text?.contains(cause) == true, "\(unit)")
                #expect(unit["command"]?.text?.contains(command) == true, "\(unit)")
            }
            try home.tell(units: "Id=ghoststored.service\nLoadState=not-found", clock: "no")
            let found = try await home.findings()
            #expect(found["units"]?["command"] == "sudo apt install ghoststored")
            #expect(found["clock"]?["state"] == "note")
            try home.tell(units: Self.units())
            #expect(try await home.findings()["backups"]?["command"]?.text?.contains("ghoststore-backup.timer") == true)
        }
    }

    @Test func `files, keys and folders that others may reach are findings`() async throws {
        try await withControl { control, daemon in
            let home = try Home(daemon)
            try home.tell(units: Self.units())
            let state = daemon.stateDirectory
            try Data(repeating: 1, count: 48).write(to: URL(filePath: "\(state)/key"))
            let beside = try await home.findings(
                configuration: "state_directory: \(state)\nkey_file: \(state)/key\n")
            #expect(beside["key-file"]?["text"]?.text?.contains("in the store's own folder") == true)
            let key = try home.folder.write([UInt8](repeating: 1, count: 48), to: "key")
            chmod(key, 0o644)
            let settings = "state_directory: \(state)\nkey_file: \(key)\n"
            let readable = try await home.findings(configuration: settings)
            #expect(readable["key-file"]?["command"]?.text == "sudo chmod 600 \(key)")
            chmod(key, 0o600)
            #expect(try await home.findings(configuration: settings)["key-file"]?["state"] != "problem")
            chmod(state, 0o755)
            let open = try await home.findings()
            #expect(open["state-directory"]?["command"]?.text == "sudo chmod 700 \(state)")
            chmod(home.folder.path, 0o700)
            chmod(home.folder.file("ghoststore"), 0o777)
            #expect(try await home.findings()["socket"]?["text"]?.text?.contains("everyone may write") == true)
        }
    }

    @Test func `a store that is not open, a daemon that is not there and old backups are findings`() async throws {
        try await withControl { control, daemon in
            let home = try Home(daemon)
            try home.tell(units: Self.units())
            #expect(try await home.findings()["backups"]?["text"] == "the daemon has no backup")
            try await control.text("lock")
            let locked = try await home.findings()
            #expect(locked["store"]?["command"] == "ghoststorectl unlock")
            try await daemon.kill9()
            let silent = try await home.findings()
            #expect(silent["daemon"]?["state"] == "problem" && silent["store"] == nil, "\(silent)")
            try FileManager.default.removeItem(atPath: home.folder.file("ghoststore/socket"))
            let config = try home.folder.write(Array("state_directory: /no/such\n".utf8), to: "c.yaml")
            let absent = try await Program.run(
                Control.path, ["doctor", "--socket", "/none", "--config", config, "--json"])
            let found = try JSON.lines(absent.output)
            #expect(absent.exitCode == 7 && found.contains { $0["check"] == "socket" && $0["state"] == "problem" })
            #expect(found.contains { $0["check"] == "state-directory" && $0["state"] == "unknown" }, "\(found)")
            let missing = try await Program.run(Control.path, ["doctor", "--config", "/no/such/file"])
            #expect(missing.exitCode == 66)
        }
    }
}
