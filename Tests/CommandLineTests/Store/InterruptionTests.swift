import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// What Ctrl-C leaves behind is told.
@Suite(.timeLimit(.minutes(2))) struct InterruptionTests {
    private static let filler =
        #"{"text": "\#(String(repeating: "x", count: 1_000_000))", "conversation_session_id": "a"}"#

    @Test(arguments: [["check"], ["keys", "rotate"]])
    func `of long work it is said that it goes on in the daemon`(_ words: [String]) async throws {
        try await withControl { control, daemon in
            let lines = repeatElement(Self.filler, count: 6).joined(separator: "\n")
            try await control.text("messages", "import", "-", input: lines)
            var result: ProgramResult?
            // The work may be done before the signal comes.
            for _ in 0..<20 where result?.status != .signalled(SIGINT) {
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
            #expect(result?.status == .signalled(SIGINT))
            #expect(result?.errorOutput.contains("interrupted: the daemon goes on") == true)
            #expect(try await control.json("stats").first?["message_count"] == 6)
        }
    }

    @Test func `an interrupted import says how many lines are in the store`() async throws {
        try await withControl { control, daemon in
            // Lines come for as long as somebody reads them.
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
            let told = try #require(result.errorOutput.firstMatch(of: /(\d+) lines of the file are in the store/))
            let stored = try await control.json("stats").first?["message_count"]?.integer
            #expect(stored.map { String($0) } == String(told.1), "\(result.errorOutput)")
        }
    }
}
