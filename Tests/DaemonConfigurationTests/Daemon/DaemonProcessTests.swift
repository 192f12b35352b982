import Glibc
import TestBasics
import Testing

@testable import ghoststored

/// The daemon's process as the service manager sees it: messages, signals and exit codes.
@Suite(.serialized) struct DaemonProcessTests {
    private func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    @Test func `the daemon creates a store, reports that it is ready, and stops cleanly`() throws {
        let daemon = try RunningDaemon()
        #expect(daemon.message(with: "READY=1") == "READY=1\nSTATUS=the store is open")
        #expect(connectionFailure(to: daemon.socketPath) == 0)
        #expect(try daemon.stop() == 0)
        #expect(daemon.message(with: "STOPPING=1") != nil)
        #expect(!exists(daemon.socketPath))
        #expect(!exists(daemon.socketPath + ".lock"))

        let again = try RunningDaemon(in: daemon.folder)
        #expect(again.message(with: "READY=1") == "READY=1\nSTATUS=the store is open")
        #expect(try again.stop() == 0)
    }

    @Test func `a second daemon on the same store or socket fails, and the first continues`() throws {
        let first = try RunningDaemon()
        #expect(first.message(with: "READY=1") != nil)
        let socket = first.folder.file("other")
        let sameStore = try Program.start(
            Program.daemonPath, ["--state-directory", first.folder.file("state"), "--socket", socket], in: first.folder)
        #expect(try sameStore.wait() == 69)
        #expect(sameStore.errors.contains("ghoststored: "))
        #expect(!exists(socket))
        let sameSocket = try Program.start(
            Program.daemonPath, ["--state-directory", first.folder.file("state2"), "--socket", first.socketPath],
            in: first.folder)
        #expect(try sameSocket.wait() == 69)
        #expect(connectionFailure(to: first.socketPath) == 0)
        #expect(try first.stop() == 0)
    }

    @Test func `an inherited socket is served and outlives the daemon`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(String(repeating: "k", count: 32), to: "key")
        let path = folder.file("inherited")
        let descriptor = try boundSocket(path)
        defer { close(descriptor) }
        let receiver = try NotificationReceiver(folder.file("notify"))
        let command =
            "LISTEN_PID=$$ exec \(Program.daemonPath) --create --state-directory \(folder.file("state")) "
            + "--socket \(folder.file("unused")) --key-file \(folder.file("key"))"
        let program = try Program.start(
            "/bin/sh", ["-c", command],
            environment: ["LISTEN_FDS": "1", "LISTEN_FDNAMES": "ghoststore", "NOTIFY_SOCKET": folder.file("notify")],
            in: folder, passing: [(from: descriptor, to: 3)])
        #expect(receiver.next()?.contains("READY=1") == true)
        #expect(connectionFailure(to: path) == 0)
        #expect(!exists(folder.file("unused")))
        program.signal(SIGTERM)
        #expect(try program.wait() == 0)
        #expect(exists(path))
        #expect(connectionFailure(to: path) == 0)
    }

    @Test func `a daemon without its key file keeps running and reports the reason`() throws {
        let first = try RunningDaemon()
        #expect(first.message(with: "READY=1") != nil)
        #expect(try first.stop() == 0)
        #expect(unlink(first.folder.file("key")) == 0)
        let daemon = try RunningDaemon([], makesKey: false, in: first.folder)
        let status = try #require(daemon.message(with: "READY=1"))
        #expect(status.contains("STATUS=the store is not open: "))
        #expect(status.contains("key file"))
        // Only the log contains the path of the key file, because every user may read the status line.
        #expect(!status.contains(daemon.folder.path) && daemon.program.errors.contains(daemon.folder.path))
        #expect(connectionFailure(to: daemon.socketPath) == 0)
        #expect(try daemon.stop() == 0)
    }

    @Test func `a daemon with another key keeps running and reports the reason`() throws {
        let first = try RunningDaemon()
        #expect(first.message(with: "READY=1") != nil)
        #expect(try first.stop() == 0)
        try first.folder.write(String(repeating: "x", count: 32), to: "key")
        let daemon = try RunningDaemon(in: first.folder)
        #expect(daemon.message(with: "READY=1")?.contains("the store is not open") == true)
        #expect(try daemon.stop() == 0)
    }

    @Test func `a daemon without a store reports that there is none`() throws {
        let daemon = try RunningDaemon([])
        #expect(daemon.message(with: "READY=1")?.contains("no store yet") == true)
        #expect(try daemon.stop() == 0)
    }

    @Test func `SIGHUP reloads the configuration, and an invalid file changes nothing`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("log_level: info\n", to: "config.yaml")
        let daemon = try RunningDaemon(["--create", "--config", file], in: folder)
        #expect(daemon.message(with: "READY=1") != nil)
        let changed = "log_level: debug\ntrusted_group: \"4711\"\naccess:\n  rules: [user:1 messages:read]\n"
        try folder.write(changed + "limits:\n  reader_threads: 5\n", to: "config.yaml")
        daemon.program.signal(SIGHUP)
        #expect(daemon.message(with: "RELOADING=1")?.contains("MONOTONIC_USEC=") == true)
        #expect(daemon.message(with: "READY=1") == "READY=1")
        #expect(eventually { daemon.program.errors.contains("limits.reader_threads") })
        let line = daemon.program.errors.split(separator: "\n").first { $0.contains("reloaded") } ?? ""
        for words in ["trusted group", "trusted_group=4711", "access_rules=1", "log_level=debug"] {
            #expect(line.contains(words), "\(line)")
        }
        try folder.write("log_level: loud\nsocket: x\n", to: "config.yaml")
        // The units reload the daemon with this command. If the configuration has errors, the command reports them and
        // does not signal the daemon.
        let reload = ["--config", file, "--reload", "\(daemon.program.processID)"]
        let broken = try Program.start(Program.daemonPath, reload, in: folder)
        #expect(try broken.wait() == 78)
        #expect(broken.errors.contains("log_level"))
        try folder.write("log_level: debug\n", to: "config.yaml")
        #expect(try Program.start(Program.daemonPath, reload, in: folder).wait() == 0)
        #expect(daemon.message(with: "RELOADING=1") != nil)
        #expect(daemon.message(with: "READY=1") == "READY=1")
        try folder.write("log_level: loud\nsocket: x\n", to: "config.yaml")
        daemon.program.signal(SIGHUP)
        #expect(daemon.message(with: "RELOADING=1") != nil)
        #expect(daemon.message(with: "READY=1") == "READY=1")
        // The log has one line for each error.
        for cause in ["config.yaml:1: log_level", "config.yaml:2: socket"] {
            #expect(
                eventually {
                    daemon.program.errors.split(separator: "\n").contains {
                        $0.contains("nothing was reloaded") && $0.contains(cause)
                    }
                }, "\(daemon.program.errors)")
        }
        #expect(try daemon.stop() == 0)
    }

    @Test func `SIGUSR1 locks the store`() throws {
        let daemon = try RunningDaemon()
        #expect(daemon.message(with: "READY=1") != nil)
        daemon.program.signal(SIGUSR1)
        #expect(daemon.message(with: "STATUS=the store is locked") != nil)
        #expect(try daemon.stop() == 0)
    }

    @Test func `init, lock and unlock change the status that the service manager receives`() async throws {
        let daemon = try RunningDaemon([], environment: ["GHOSTSTORE_ALLOW_LOW_COST_KEYS": "true"], makesKey: true)
        #expect(daemon.message(with: "READY=1")?.contains("no store yet") == true)
        let passphrase = try daemon.folder.write("passphrase", to: "passphrase")
        #expect(chmod(passphrase, 0o600) == 0)
        for (command, status) in [
            (["init", "--low-cost", "--passphrase-file", passphrase], "STATUS=the store is open"),
            (["lock"], "STATUS=the store is locked"),
            (["unlock", "--passphrase-file", passphrase], "STATUS=the store is open"),
        ] {
            let control = try Program.start(
                Program.controlPath, command + ["--socket", daemon.socketPath], in: daemon.folder)
            #expect(try control.wait() == 0, "\(control.errors)")
            #expect(daemon.message(with: "STATUS=") == status)
        }
        #expect(try daemon.stop() == 0)
    }

    @Test func `the watchdog is notified in time`() throws {
        let daemon = try RunningDaemon(environment: ["WATCHDOG_USEC": "200000"])
        #expect(daemon.message(with: "READY=1") != nil)
        for _ in 0..<5 {
            #expect(daemon.message(with: "WATCHDOG=1") != nil)
        }
        #expect(try daemon.stop() == 0)
    }

    @Test func `the daemon dumps no core, and its files are for its user alone`() throws {
        let daemon = try RunningDaemon()
        #expect(daemon.message(with: "READY=1") != nil)
        let limits = try fileText("/proc/\(daemon.program.processID)/limits")
        #expect(limits.contains(/Max core file size\s+0\s+0\s/))
        #expect(try fileText("/proc/\(daemon.program.processID)/status").contains(/Umask:\s+0077/))
        #expect(try daemon.stop() == 0)
        var status = stat()
        #expect(stat(daemon.folder.file("state"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
    }

    @Test func `the socket of a killed daemon does not prevent the next start`() throws {
        let first = try RunningDaemon()
        #expect(first.message(with: "READY=1") != nil)
        first.program.signal(SIGKILL)
        #expect(try first.wait() == 128 + SIGKILL)
        #expect(exists(first.socketPath))
        let second = try RunningDaemon(in: first.folder)
        #expect(second.message(with: "READY=1") == "READY=1\nSTATUS=the store is open")
        #expect(try second.stop() == 0)
    }

    private func fileText(_ path: String) throws -> String {
        guard let stream = fopen(path, "r") else { throw SystemFailure(call: "fopen \(path)", number: errno) }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, stream)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
