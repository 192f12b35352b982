import GhostTestSupport
import TestBasics

/// Runs `Examples/chat/start` without a terminal. The test types and reads the screen in place of two people.
struct ChatSession {
    /// The two people. The raw value is the index of the person's tmux pane.
    enum Side: Int {
        case alice, bob
    }

    let place: TemporaryDirectory
    private let program: RunningProgram

    init() throws {
        place = try TemporaryDirectory()
        program = try RunningProgram(
            "\(BuiltPrograms.packageDirectory)/Examples/chat/start",
            environment: [
                "BIN": String(BuiltPrograms.path("ghoststored").dropLast("/ghoststored".count)), "PLACE": place.path,
            ])
    }

    func type(_ line: String, as side: Side) async throws {
        try await tmux(["send-keys", "-t", "chat:0.\(side.rawValue)", "-l", line])
        try await tmux(["send-keys", "-t", "chat:0.\(side.rawValue)", "Enter"])
    }

    /// Waits until a line on a side's screen contains the text.
    func see(_ text: String, as side: Side) async throws {
        try await eventually("'\(text)' on the screen of \(side)", within: .seconds(30)) {
            try await Task.sleep(for: .milliseconds(50))
            guard program.isRunning else { throw TestSupportError("it has ended: \(program.errorOutput)") }
            return try await screen(side).contains(text)
        }
    }

    private func screen(_ side: Side) async throws -> String {
        let shown = try await Program.run(
            "/usr/bin/env", ["tmux", "-S", place.file("tmux"), "capture-pane", "-p", "-t", "chat:0.\(side.rawValue)"])
        return shown.output
    }

    private func tmux(_ arguments: [String]) async throws {
        let result = try await Program.run("/usr/bin/env", ["tmux", "-S", place.file("tmux")] + arguments)
        guard result.exitCode == 0 else { throw TestSupportError("tmux: \(result.errorOutput)") }
    }

    /// The process id of the daemon, or `nil` before the daemon has started.
    var daemonID: Int32? {
        Int32(place.read("daemon.pid").filter(\.isNumber))
    }

    /// Waits until both people have left and every process has ended.
    func end() async throws -> ProgramResult {
        try await program.wait()
    }
}
