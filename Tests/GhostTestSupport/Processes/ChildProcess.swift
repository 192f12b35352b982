import Glibc
import Synchronization

/// A child process. It is killed when the last reference to it is released. If the test process dies first, a watchdog
/// kills the child, so that no test leaves a process running.
package final class ChildProcess: Sendable {
    /// The files to which the child's standard streams are connected.
    struct Streams {
        var inputPath = "/dev/null"
        var outputPath = "/dev/null"
        var errorPath = "/dev/null"
        /// True if the paths are a terminal, which becomes the controlling terminal of the child.
        var isTerminal = false
    }

    private struct State {
        var exit: ExitStatus?
        var watchdog: pid_t?
        var watchdogPipe: CInt?
    }

    package let id: Int32
    private let state: Mutex<State>

    /// Starts the program, and the watchdog that kills it if the test process dies.
    ///
    /// - Parameter environment: the whole environment; the child inherits no variable of this process.
    init(path: String, arguments: [String], environment: [String: String], streams: Streams) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let append = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, 0, streams.inputPath, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, streams.outputPath, append, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, streams.errorPath, append, 0o600)
        id = try Spawn.spawn(
            path, arguments: arguments, environment: environment, actions: &actions, hasSession: streams.isTerminal)
        state = Mutex(State())
        try startWatchdog()
    }

    deinit {
        signal(SIGKILL)
        while poll(waiting: true) == nil {}
    }

    /// The exit status; `nil` while the process runs.
    package var exitStatus: ExitStatus? {
        poll(waiting: false)
    }

    package var isRunning: Bool {
        exitStatus == nil
    }

    /// Sends a signal, unless the process has ended.
    package func signal(_ number: CInt) {
        state.withLock { state in
            if state.exit == nil {
                kill(id, number)
            }
        }
    }

    /// Waits until the process ends, and returns its exit status. Throws an error if it still runs after `limit`.
    @discardableResult
    package func wait(within limit: Duration = .seconds(30)) async throws -> ExitStatus {
        try await eventually("process \(id) ends", within: limit) { !isRunning }
        guard let status = exitStatus else { throw TestSupportError("process \(id) has not ended") }
        return status
    }

    /// Kills the process with SIGKILL, as a crash or the out-of-memory killer would, and waits for its end.
    package func kill9() async throws {
        signal(SIGKILL)
        try await wait()
    }

    private func poll(waiting: Bool) -> ExitStatus? {
        state.withLock { state in
            if let exit = state.exit {
                return exit
            }
            var raw: CInt = 0
            let ended = waitid(raw: &raw, waiting: waiting)
            guard ended else { return nil }
            // The child is not reaped yet. So the system cannot give its id to another process while the watchdog may
            // still kill that id.
            Self.stopWatchdog(&state)
            waitpid(id, &raw, 0)
            let status = ExitStatus(waitStatus: raw)
            state.exit = status
            return status
        }
    }

    private func waitid(raw: inout CInt, waiting: Bool) -> Bool {
        var information = siginfo_t()
        let options = WEXITED | WNOWAIT | (waiting ? 0 : WNOHANG)
        guard Glibc.waitid(P_PID, id_t(id), &information, options) == 0 else { return errno == ECHILD }
        return information.si_signo == SIGCHLD
    }

    // MARK: The watchdog

    /// Starts a shell that reads from a pipe to which no process writes. When the test process ends, the read ends, and
    /// the shell kills the child.
    private func startWatchdog() throws {
        let ends = try Spawn.closeOnExecPipe()
        defer { close(ends.read) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends.read, 0)
        let script = "read -r line; kill -KILL \(id) 2>/dev/null"
        let watchdog = try Spawn.spawn("/bin/sh", arguments: ["-c", script], environment: [:], actions: &actions)
        state.withLock { state in
            state.watchdog = watchdog
            state.watchdogPipe = ends.write
        }
    }

    private static func stopWatchdog(_ state: inout State) {
        if let watchdog = state.watchdog {
            kill(watchdog, SIGKILL)
            var raw: CInt = 0
            waitpid(watchdog, &raw, 0)
        }
        if let pipe = state.watchdogPipe {
            close(pipe)
        }
        state.watchdog = nil
        state.watchdogPipe = nil
    }
}

/// The way in which a process ended.
package enum ExitStatus: Hashable, Sendable {
    case exited(CInt)
    case signalled(CInt)

    init(waitStatus: CInt) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited(waitStatus >> 8 & 0xff) : .signalled(signal)
    }
}
