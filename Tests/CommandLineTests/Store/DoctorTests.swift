import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// The findings of `doctor` for prepared environments, in which a user runs the daemon from a temporary home folder.
@Suite struct DoctorTests {
    /// A temporary home folder, in which the test's daemon looks like a daemon that the user's systemd units started.
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

        /// Installs stand-ins for `systemctl` and `timedatectl` that print these texts.
        func tell(units: String, clock: String = "yes") throws {
            for (name, text) in [("systemctl", units), ("timedatectl", clock)] {
                let path = try folder.write(Array("#!/bin/sh\ncat <<'E'\n\(text)\nE\n".utf8), to: "bin/\(name)")
                chmod(path, 0o755)
            }
        }

        /// Returns the findings of `doctor` by the name of the check.
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

    @Test func `a healthy installation has no problem`() async throws {
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
            let first = "ok       configuration    all settings of ghoststorectl are valid\n"
            #expect(people.output.hasPrefix(first), "\(people.output)")
        }
    }

    static let unitFaults: [(String, String, String)] = [
        ("ActiveState=failed\nUnitFileState=enabled", "has failed", "systemctl --user reset-failed"),
        ("ActiveState=inactive\nUnitFileState=enabled", "nor ghoststored.socket runs", "systemctl --user start"),
        ("ActiveState=active\nUnitFileState=disabled", "nothing starts", "systemctl --user enable"),
        ("ActiveState=active\nUnitFileState=enabled\nNeedDaemonReload=yes", "was changed", "daemon-reload"),
    ]

    @Test func `a unit that does not run is a problem with a command that helps`() async throws {
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

    @Test func `files, keys and folders that other users can reach are reported`() async throws {
        try await withControl { control, daemon in
            let home = try Home(daemon)
            try home.tell(units: Self.units())
            let state = daemon.stateDirectory
            try Data(repeating: 1, count: 48).write(to: URL(filePath: "\(state)/key"))
            let beside = try await home.findings(
                configuration: "state_directory: \(state)\nkey_file: \(state)/key\n")
            #expect(beside["key-file"]?["text"]?.text?.contains("in the folder of the store") == true)
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
            #expect(try await home.findings()["socket"]?["text"]?.text?.contains("every user can write") == true)
        }
    }

    /// Ways to create a store that does not open.
    enum Trouble: String, CaseIterable {
        case journalDamaged = "journal-damaged"
        case keyringDamaged = "keyring-damaged"
        case databaseDamaged = "database-damaged"
        case keyMissing = "key-missing"
        case wrongKey = "wrong-key"

        func happen(_ daemon: TestDaemon) throws {
            let state = daemon.stateDirectory
            switch self {
            case .journalDamaged: try move("\(state)/journal", to: "\(state)/journal.away")
            case .keyringDamaged: try move("\(state)/keyring", to: "\(state)/keyring.away")
            case .databaseDamaged: try move("\(state)/store.db", to: "\(state)/store.db.away")
            case .keyMissing: try move(daemon.keyFilePath, to: daemon.keyFilePath + ".away")
            case .wrongKey:
                try move(daemon.keyFilePath, to: daemon.keyFilePath + ".away")
                try daemon.directory.write([UInt8](repeating: 9, count: 32), to: "key")
            }
        }

        func end(_ daemon: TestDaemon) throws {
            let state = daemon.stateDirectory
            switch self {
            case .journalDamaged:
                try? FileManager.default.removeItem(atPath: "\(state)/journal")
                try move("\(state)/journal.away", to: "\(state)/journal")
            case .keyringDamaged: try move("\(state)/keyring.away", to: "\(state)/keyring")
            case .databaseDamaged: try move("\(state)/store.db.away", to: "\(state)/store.db")
            case .keyMissing: try move(daemon.keyFilePath + ".away", to: daemon.keyFilePath)
            case .wrongKey:
                try FileManager.default.removeItem(atPath: daemon.keyFilePath)
                try move(daemon.keyFilePath + ".away", to: daemon.keyFilePath)
            }
        }

        private func move(_ path: String, to other: String) throws {
            try FileManager.default.moveItem(atPath: path, toPath: other)
        }
    }

    /// A person who follows the advice of `doctor` loses no data. When the cause of the trouble is gone, the store
    /// opens with all its messages.
    @Test(arguments: Trouble.allCases)
    func `following doctor's advice for a store that does not open loses no data`(_ trouble: Trouble) async throws {
        try await withControl { control, daemon in
            let home = try Home(daemon)
            try home.tell(units: Self.units())
            for number in 1...20 { try await control.text("messages", "save", "alice", "\(number)") }
            try await daemon.kill9()
            try trouble.happen(daemon)
            try await daemon.startAgain()

            let store = try #require(try await home.findings()["store"])
            #expect(store["text"]?.text?.contains(trouble.rawValue) == true, "\(store)")
            let command = try #require(store["command"]?.text)
            switch trouble {
            case .keyMissing, .wrongKey: #expect(command == "ghoststorectl unlock")
            case .journalDamaged, .keyringDamaged, .databaseDamaged:
                #expect(command.contains("systemctl --user stop ghoststored.socket ghoststored.service; cp -a "))
                #expect(store["text"]?.text?.contains("copy the state directory") == true, "\(store)")
                #expect(store["text"]?.text?.contains("ghoststored(8)") == true, "\(store)")
                #expect(store["text"]?.text?.contains("STORE DOES NOT") == false, "\(store)")
                try await daemon.terminate()
                let copied = try await Program.shell(
                    command, environment: ["PATH": home.folder.file("bin") + ":/usr/bin:/bin"])
                #expect(copied.exitCode == 0, "\(command): \(copied.errorOutput)")
                let copies = try daemon.directory.names().filter { $0.hasPrefix("state.") }
                #expect(copies.count == 1, "\(copies)")
                try await daemon.startAgain()
            }
            if trouble == .keyMissing {
                let why = try await control.json("status").first?["store_state_message"]?.text
                #expect(why?.contains(daemon.keyFilePath) == true && why?.contains("missing") == true, "\(why ?? "")")
                let caller = try await control.run("stats").errorOutput
                #expect(!caller.contains(daemon.keyFilePath), "\(caller)")
            }
            try await daemon.kill9()
            try trouble.end(daemon)
            try await daemon.startAgain()
            #expect(try await control.json("status").first?["store_state"] == "open")
            #expect(try await control.json("messages", "list", "alice").count == 20)
        }
    }

    @Test func `the advice to create a store says to look for an existing one first`() async throws {
        try await withUninitializedControl { _, daemon in
            let home = try Home(daemon)
            try home.tell(units: Self.units())
            let store = try #require(try await home.findings()["store"])
            #expect(store["state"] == "problem" && store["command"] == "ghoststorectl init", "\(store)")
            let text = store["text"]?.text ?? ""
            #expect(text.contains("check first that its disk is mounted"), "\(text)")
            #expect(text.contains("the state directory \(daemon.stateDirectory) is the right one"), "\(text)")
        }
    }

    /// The machine has neither units nor a configuration file that contains the state directory.
    @Test func `the state directory of a manually started daemon is known from the daemon`() async throws {
        try await withControl { control, daemon in
            let found = try JSON.lines(try await control.run("doctor", "--json").output)
            let state = try #require(found.first { $0["check"] == "state-directory" })
            #expect(state["state"] == "ok" && state["text"]?.text?.contains(daemon.stateDirectory) == true, "\(state)")
            #expect(found.contains { $0["check"] == "disk-space" })
            try await daemon.terminate()
            let silent = try JSON.lines(try await control.run("doctor", "--json").output)
            let unknown = try #require(silent.first { $0["check"] == "state-directory" })
            #expect(unknown["command"]?.text == "sudo ghoststorectl doctor --socket \(daemon.socketPath)", "\(unknown)")
        }
    }

    @Test func `a store that is not open, a missing daemon and old backups are problems`() async throws {
        try await withControl { control, daemon in
            let home = try Home(daemon)
            try home.tell(units: Self.units())
            #expect(try await home.findings()["backups"]?["text"] == "the daemon keeps no backup")
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
