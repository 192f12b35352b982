import Glibc
import TestBasics
import Testing

/// Checks the units in systemd/ with systemd's own analyzer.
@Suite struct UnitFileTests {
    private static let analyzer = "/usr/bin/systemd-analyze"
    private static let isThere: Bool = access(analyzer, X_OK) == 0
    private static let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C", "SYSTEMD_EMOJI": "0"]

    @Test(
        .enabled(if: isThere, "systemd-analyze is not installed"),
        arguments: [("ghoststored.service", 0.7), ("ghoststore-sync.service", 1.5)])
    func `the exposure of the service is at most the allowed level`(unit: String, most: Double) throws {
        let folder = try TemporaryDirectory()
        let analysis = try Program.start(
            Self.analyzer,
            [
                "security", "--offline=true", "--no-pager", "--threshold=\(Int(most * 10))",
                repositoryPath("systemd/" + unit),
            ],
            environment: Self.environment, in: folder)
        #expect(try analysis.wait() == 0, "\(analysis.errors)")
        let line = analysis.output.split(separator: "\n").last { $0.contains("Overall exposure level") }
        let level = line?.split(separator: " ").compactMap { Double($0) }.first
        #expect(try #require(level, "\(analysis.output)") <= most)
    }

    @Test(
        .enabled(if: isThere, "systemd-analyze is not installed"),
        arguments: [
            "ghoststored.service", "ghoststored.socket", "user/ghoststored.service", "user/ghoststored.socket",
            "ghoststore-backup.service", "ghoststore-backup.timer", "user/ghoststore-backup.service",
            "user/ghoststore-backup.timer", "ghoststore-metrics.service", "ghoststore-metrics.timer",
            "ghoststore-sync.service", "user/ghoststore-sync.service", "user/ghoststore-sync-pipe@.service",
        ])
    func `systemd accepts the unit`(unit: String) throws {
        let folder = try TemporaryDirectory()
        let scope = unit.hasPrefix("user/") ? "--user" : "--system"
        let places = ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path]
        let analysis = try Program.start(
            Self.analyzer, ["verify", scope, "--man=no", repositoryPath("systemd/" + unit)],
            environment: Self.environment.merging(places) { $1 }, in: folder)
        _ = try analysis.wait()
        // The daemon need not be installed on the machine that runs the tests.
        let problems = analysis.errors.split(separator: "\n").filter {
            !$0.contains("is not executable: No such file or directory")
        }
        #expect(problems.isEmpty)
    }

    @Test(arguments: [
        "ghoststored.service", "ghoststored.socket", "user/ghoststored.service", "user/ghoststored.socket",
        "ghoststore-backup.service", "ghoststore-backup.timer", "user/ghoststore-backup.service",
        "user/ghoststore-backup.timer", "ghoststore-metrics.service", "ghoststore-metrics.timer",
        "ghoststore-sync.service", "user/ghoststore-sync.service", "user/ghoststore-sync-pipe@.service",
        "sysusers.d/ghoststore.conf", "sysusers.d/ghoststore-sync.conf", "tmpfiles.d/ghoststore.conf",
    ])
    func `every file for systemd exists`(file: String) throws {
        #expect(try !repositoryFile("systemd/" + file).isEmpty)
    }

    /// Checks the fields that sysusers.d(5) (type, name, id, "description", home, shell) and tmpfiles.d(5) (type, path,
    /// mode, user, group, age) define.
    @Test(arguments: [
        ("sysusers.d/ghoststore.conf", #"u ghoststore(-metrics)? - "[^"]+" /\S* /\S+"#),
        ("sysusers.d/ghoststore-sync.conf", #"u ghoststore-sync - "[^"]+" /\S* /\S+"#),
        ("tmpfiles.d/ghoststore.conf", #"d /\S+ 0[0-7]{3} (ghoststore ghoststore|root root) -"#),
    ])
    func `every line for sysusers and tmpfiles has the required fields`(
        file: String, pattern: String
    ) throws {
        let line = try Regex(pattern)
        let lines = String(decoding: try repositoryFile("systemd/" + file), as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
        #expect(!lines.isEmpty)
        for found in lines {
            #expect(found.wholeMatch(of: line) != nil, "\(found)")
        }
    }

    @Test func `the service that writes metrics has a user with no other rights`() throws {
        let unit = try UnitFile("ghoststore-metrics.service")
        let text = String(decoding: try repositoryFile("systemd/ghoststore-metrics.service"), as: UTF8.self)
        let user = try #require(unit.value(of: "User"))
        let users = String(decoding: try repositoryFile("systemd/sysusers.d/ghoststore.conf"), as: UTF8.self)
        #expect(users.contains("\nu \(user) - "))
        #expect(text.contains("\"user:\(user) metrics:read\""))
        let folder = try #require(unit.value(of: "RuntimeDirectory"))
        let start = "/usr/bin/ghoststorectl metrics --textfile /run/\(folder)/ghoststore.prom"
        #expect(unit.value(of: "ExecStart") == start)
        // This service has the same hardening as the backup service, which also needs only the socket.
        let backup = String(decoding: try repositoryFile("systemd/ghoststore-backup.service"), as: UTF8.self)
        let hardening = try #require(backup.firstRange(of: "NoNewPrivileges=yes"))
        #expect(text.hasSuffix(backup[hardening.lowerBound...]))
    }

    @Test func `the service with network access has its own user and cannot reach the store's files`() throws {
        let unit = try UnitFile("ghoststore-sync.service")
        let user = try #require(unit.value(of: "User"))
        let users = String(decoding: try repositoryFile("systemd/sysusers.d/ghoststore-sync.conf"), as: UTF8.self)
        #expect(users.contains("\nu \(user) - "))
        #expect(unit.value(of: "InaccessiblePaths") == "-/var/lib/ghoststore")
        #expect(unit.value(of: "LoadCredential") == "nats-credentials")
        #expect(unit.value(of: "RestartPreventExitStatus") == "64 78")
        // A carrier that runs as another user can use the folder, and new files in it inherit the group.
        #expect(unit.value(of: "StateDirectory") == "ghoststore-sync" && unit.value(of: "StateDirectoryMode") == "2770")
    }

    @Test func `a user's store is in the same folder with every version of systemd`() throws {
        let unit = try UnitFile("user/ghoststored.service")
        let start = try #require(unit.value(of: "ExecStart"))
        #expect(start.contains(" --state-directory %h/.local/state/ghoststore "))
        #expect(unit.value(of: "ExecStartPre") == "/usr/bin/mkdir -p %h/.local/state")
        // From version 254, `StateDirectory` and `%S` of a user unit mean another folder, or a link if the old folder
        // exists.
        #expect(unit.value(of: "StateDirectory") == nil && !start.contains("%S"))
    }

    @Test func `the system's socket is open to all users, and a user's socket only to that user`() throws {
        #expect(try UnitFile("ghoststored.socket").value(of: "SocketMode") == "0666")
        #expect(try UnitFile("user/ghoststored.socket").value(of: "SocketMode") == "0600")
        // Clients of other users can pass through the socket's folder.
        #expect(try UnitFile("ghoststored.service").value(of: "RuntimeDirectoryMode") == "0755")
        #expect(try UnitFile("ghoststored.socket").value(of: "DirectoryMode") == "0755")
    }

    @Test(arguments: ["ghoststored.service", "user/ghoststored.service"])
    func `a reload checks the configuration first`(unit: String) throws {
        #expect(try UnitFile(unit).value(of: "ExecReload") == "/usr/bin/ghoststored --reload $MAINPID")
    }

    @Test(arguments: [
        "ghoststored.service", "user/ghoststored.service", "ghoststore-sync.service", "user/ghoststore-sync.service",
        "user/ghoststore-sync-pipe@.service",
    ])
    func `libdispatch writes no addresses to the journal`(unit: String) throws {
        let text = String(decoding: try repositoryFile("systemd/" + unit), as: UTF8.self)
        #expect(text.contains("\nEnvironment=LIBDISPATCH_LOG=NO\n"))
    }

    /// systemd.exec(5): systemd ignores a missing credential that is given without a path. A missing credential with a
    /// path ends the unit with exit code 243.
    @Test func `the credential may be missing`() throws {
        #expect(try UnitFile("ghoststored.service").value(of: "LoadCredential") == "ghoststore-key")
    }

    @Test func `every folder that the service's root binds has a mount point`() throws {
        let unit = try UnitFile("ghoststored.service")
        let install = String(decoding: try repositoryFile("scripts/install"), as: UTF8.self)
        let list = try #require(install.firstMatch(of: /root_folders=\(([^)]*)\)/)).1
        let folders = Set(list.split(whereSeparator: \.isWhitespace).map { "/" + $0 })
        let bound = try #require(unit.value(of: "BindReadOnlyPaths")).split(separator: " ").map { entry in
            String(entry.drop { $0 == "-" }.prefix { $0 != ":" })
        }
        let state = try ["StateDirectory": "/var/lib/", "RuntimeDirectory": "/run/"].map { name, parent in
            parent + (try #require(unit.value(of: name)))
        }
        for path in bound + state + ["/dev", "/proc", "/sys", "/tmp", "/var/tmp"] {
            #expect(folders.contains(path), "\(path)")
        }
    }

    @Test func `a user's daemon does not read the system's configuration`() throws {
        let text = String(decoding: try repositoryFile("systemd/user/ghoststored.service"), as: UTF8.self)
        #expect(text.contains("\nEnvironment=GHOSTSTORE_CONFIG=%E/ghoststore/ghoststored.yaml\n"))
    }

    @Test func `the service has the hardening that the design requires`() throws {
        let text = String(decoding: try repositoryFile("systemd/ghoststored.service"), as: UTF8.self)
        let lines = Set(text.split(separator: "\n").map(String.init))
        for line in [
            "Type=notify", "LimitCORE=0", "PrivateNetwork=yes", "RestrictAddressFamilies=AF_UNIX",
            "CapabilityBoundingSet=", "ProtectSystem=strict", "StateDirectoryMode=0700", "MemoryDenyWriteExecute=yes",
            "PrivateTmp=yes", "PrivateDevices=yes", "PrivateIPC=yes", "PrivateMounts=yes", "LockPersonality=yes",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(!lines.contains { $0.hasPrefix("PrivateUsers=") }, "clients would look like nobody to SO_PEERCRED")
    }
}
