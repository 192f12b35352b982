import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// After Ctrl-C, a command reports what remains in the store or on the disk.
@Suite(.timeLimit(.minutes(2))) struct InterruptionTests {
    /// Interrupts a command once it has a handler for SIGINT. If the command ends before the signal arrives, it is
    /// started again.
    private func interrupted(
        _ words: [String], _ control: Control, _ daemon: TestDaemon, before: () throws -> Void = {}
    ) async throws -> ProgramResult {
        var result: ProgramResult?
        for _ in 0..<20 where result?.status != .signalled(SIGINT) {
            try before()
            let running = try RunningProgram(
                Control.path, words, environment: ["GHOSTSTORE_SOCKET": control.socketPath])
            try await eventually("the signal is heeded or the work is done") {
                running.heeds(SIGINT) || !running.isRunning
            }
            daemon.child?.signal(SIGSTOP)
            running.signal(SIGINT)
            result = try await running.wait()
            daemon.child?.signal(SIGCONT)
        }
        return try #require(result)
    }

    private func withFilledControl(_ body: (Control, TestDaemon) async throws -> Void) async throws {
        try await withControl { control, daemon in
            try await saveLargeTexts(6, of: "a", daemon)
            try await body(control, daemon)
        }
    }

    @Test(arguments: [["check"], ["keys", "rotate"], ["search", "rebuild"]])
    func `an interrupted command says that the daemon continues the work`(_ words: [String]) async throws {
        try await withFilledControl { control, daemon in
            let result = try await interrupted(words, control, daemon)
            #expect(result.status == .signalled(SIGINT))
            #expect(result.errorOutput.contains("\nghoststorectl: interrupted: the daemon continues"))
            #expect(try await control.json("stats").first?["message_count"] == 6)
        }
    }

    @Test func `with JSON an interruption is reported as an object`() async throws {
        try await withFilledControl { control, daemon in
            let told = try await interrupted(["check", "--json"], control, daemon).errorOutput
            #expect(told.hasPrefix("{") && told.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
            let notice = try JSON.lines(told).first?["notice"]?.text
            #expect(notice?.hasPrefix("interrupted: the daemon continues") == true, "\(told)")
        }
    }

    @Test(arguments: [
        ["messages", "export", "--all", "--output"], ["logs", "export", "events"], ["blobs", "export", "a"],
    ])
    func `an interrupted export leaves no incomplete file`(_ words: [String]) async throws {
        try await withFilledControl { control, daemon in
            try await control.text("logs", "open", "events", "--maximum-bytes", "4MiB")
            let lines = repeatElement(String(repeating: "x", count: 100_000), count: 30).joined(separator: "\n")
            try await control.text("logs", "append", "events", input: lines)
            let folder = try TemporaryDirectory()
            let result = try await interrupted(words + [folder.file("export")], control, daemon) {
                try? FileManager.default.removeItem(atPath: folder.file("export"))
            }
            #expect(result.status == .signalled(SIGINT), "\(result.errorOutput)")
            // If the signal arrives just after the file was renamed, the file must be complete.
            if try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["export"] {
                let whole = try await control.run(words + [folder.file("whole")])
                let sizes = try ["export", "whole"].map { try Data(contentsOf: URL(filePath: folder.file($0))).count }
                #expect(whole.exitCode == 0 && sizes[0] == sizes[1])
            } else {
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }
    }

    @Test func `an interrupted import reports how many lines are stored`() async throws {
        try await withControl { control, daemon in
            // The script produces lines for as long as the command reads them.
            let script = """
                cd '\(daemon.directory.path)'; mkfifo lines
                (i=0; while echo "{\\"id\\": \\"m$i\\", \\"text\\": \\"t\\", \\"conversation_session_id\\": \\"s\\"}" \
                2>/dev/null; do i=$((i + 1)); done) > lines &
                exec "$CTL" messages import lines
                """
            let running = try RunningProgram(
                "/bin/bash", ["-c", script],
                environment: ["GHOSTSTORE_SOCKET": control.socketPath, "CTL": Control.path])
            try await eventually("lines are in") {
                try await control.json("stats").first?["message_count"]?.integer ?? 0 > 500
            }
            running.signal(SIGINT)
            let result = try await running.wait()
            #expect(result.status == .signalled(SIGINT))
            let told = try #require(result.errorOutput.firstMatch(of: /the store has (\d+) lines of the file/))
            let stored = try await control.json("stats").first?["message_count"]?.integer
            #expect(stored.map { String($0) } == String(told.1), "\(result.errorOutput)")
        }
    }
}
