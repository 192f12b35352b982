import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// A `backup` command that fails or is interrupted leaves no backup in the daemon.
@Suite(.timeLimit(.minutes(2))) struct BackupInterruptionTests {
    /// The daemon's log shows whether the command asked for a backup although its file could not be created.
    @Test(arguments: ["there", "absent/file"])
    func `no backup is requested if the file cannot be created`(name: String) async throws {
        try await withControl { control, daemon in
            try daemon.directory.write([], to: "there")
            let result = try await control.run("backup", "create", "--output", daemon.directory.file(name))
            #expect(result.exitCode == 73, "\(result.errorOutput)")
            #expect(!daemon.log.contains("a backup was created"))
            #expect(try await control.json("backup", "list").isEmpty)
        }
    }

    /// Starts a copy and pauses the daemon (SIGSTOP) once the file exists, so that `body` certainly runs during the
    /// copy.
    private func whileCopying(
        _ control: Control, _ daemon: TestDaemon, _ body: (RunningProgram) async throws -> Void
    ) async throws -> ProgramResult {
        let running = try control.start("backup", "create", "--output", daemon.directory.file("copy"))
        try await eventually("the file is begun") { try temporaryFiles(daemon).count == 1 }
        daemon.child?.signal(SIGSTOP)
        try await body(running)
        daemon.child?.signal(SIGCONT)
        return try await running.wait()
    }

    private func temporaryFiles(_ daemon: TestDaemon) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: daemon.directory.path).filter { $0.hasPrefix("copy.") }
    }

    @Test func `a file that appears during a copy is not replaced, and the daemon keeps no backup`() async throws {
        try await withFilledControl { control, daemon in
            let result = try await whileCopying(control, daemon) { _ in
                try daemon.directory.write(Array("precious".utf8), to: "copy")
            }
            #expect(result.exitCode == 73, "\(result.errorOutput)")
            #expect(daemon.directory.read("copy") == "precious")
            #expect(try await control.json("backup", "list").isEmpty)
            #expect(try temporaryFiles(daemon).isEmpty)
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends the command after the backup and the file are removed`(signal: CInt) async throws {
        try await withFilledControl { control, daemon in
            let result = try await whileCopying(control, daemon) { running in
                running.signal(signal)
                try await eventually("it says what it waits for") { running.errorOutput.contains("interrupted: ") }
            }
            #expect(result.status == .signalled(signal), "\(result.errorOutput)")
            #expect(try await control.json("backup", "list").isEmpty)
            #expect(!FileManager.default.fileExists(atPath: daemon.directory.file("copy")))
            #expect(try temporaryFiles(daemon).isEmpty)
        }
    }

    @Test func `a second signal ends the command at once`() async throws {
        try await withFilledControl { control, daemon in
            let running = try control.start("backup", "create", "--output", daemon.directory.file("copy"))
            try await eventually("the file is begun") { try temporaryFiles(daemon).count == 1 }
            daemon.child?.signal(SIGSTOP)
            running.signal(SIGINT)
            try await eventually("it says what it waits for") { running.errorOutput.contains("interrupted: ") }
            running.signal(SIGINT)
            #expect(try await running.wait().status == .signalled(SIGINT))
            daemon.child?.signal(SIGCONT)
        }
    }

    @Test func `a backup whose download is interrupted is deleted`() async throws {
        try await withFilledControl { control, daemon in
            let running = try control.start("backup", "create", "--output", daemon.directory.file("copy"))
            try await eventually("the daemon has its copy") { daemon.log.contains("a backup was created") }
            daemon.child?.signal(SIGSTOP)
            running.signal(SIGTERM)
            try await eventually("it says what it waits for") { running.errorOutput.contains("interrupted: ") }
            daemon.child?.signal(SIGCONT)
            #expect(try await running.wait().status == .signalled(SIGTERM))
            #expect(try await control.json("backup", "list").isEmpty)
            #expect(try temporaryFiles(daemon).isEmpty)
        }
    }

    @Test func `an upload that is interrupted is deleted`() async throws {
        try await withFilledControl { control, daemon in
            let file = daemon.directory.file("store.backup")
            try await control.text("backup", "create", "--output", file)
            let running = try control.start("backup", "upload", file)
            let folder = daemon.stateDirectory + "/backups"
            try await eventually("the upload has begun") {
                try FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasPrefix("upload-") }
            }
            daemon.child?.signal(SIGSTOP)
            running.signal(SIGINT)
            try await eventually("it says what it does") { running.errorOutput.contains("interrupted: ") }
            daemon.child?.signal(SIGCONT)
            #expect(try await running.wait().status == .signalled(SIGINT))
            #expect(try await control.json("backup", "list").isEmpty)
        }
    }

    /// The file has one chunk, so no further call follows after the interrupted one.
    @Test func `an interrupted upload is deleted, or the command prints its name`() async throws {
        try await withControl { control, daemon in
            let file = daemon.directory.file("store.backup")
            try await control.text("backup", "create", "--output", file)
            let folder = daemon.stateDirectory + "/backups"
            for _ in 0..<8 {
                let running = try control.start("backup", "upload", file, "--json")
                try await eventually("the upload has begun") {
                    try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty
                }
                running.signal(SIGINT)
                let told = try JSON.lines(try await running.wait().output).map { $0["name"]?.text }
                let kept = try await control.json("backup", "list").map { $0["name"]?.text }
                #expect(kept.isEmpty || kept == told)
                for name in kept.compactMap({ $0 }) {
                    try await control.text("backup", "delete", name)
                }
            }
        }
    }

    @Test func `a daemon that ends during a copy is reported, and no file remains`() async throws {
        try await withFilledControl { control, daemon in
            let running = try control.start("backup", "create", "--output", daemon.directory.file("copy"))
            try await eventually("the file is begun") { try temporaryFiles(daemon).count == 1 }
            try await daemon.kill9()
            let result = try await running.wait()
            #expect([69, 75].contains(result.exitCode), "\(result)")
            #expect(!result.errorOutput.contains("errno"), "\(result.errorOutput)")
            #expect(result.errorOutput.contains("backup list") || result.errorOutput.contains("backup delete"))
            #expect(try temporaryFiles(daemon).isEmpty)
        }
    }
}

/// Runs `body` with a store so large that a copy can be interrupted halfway.
private func withFilledControl<Result>(
    _ body: (Control, TestDaemon) async throws -> Result
) async throws -> Result {
    try await withControl { control, daemon in
        try await saveLargeTexts(6, of: "alice", daemon)
        return try await body(control, daemon)
    }
}
