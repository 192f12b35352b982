import Glibc
import Synchronization

/// A child process. Killed when the last reference to it is gone, and, by a watchdog, when this process dies first:
/// no test leaves one behind.
package final class ChildProcess: Sendable {
    /// What the child reads and writes.
    struct Streams {
        var inputPath = "/dev/null"
        var outputPath = "/dev/null"
        var errorPath = "/dev/null"
        /// Whether these are a terminal, which becomes that of the child.
        var isTerminal = false
    }

    private struct State {
        var exit: ExitStatus?
        var watchdog: pid_t?
        var watchdogPipe: CInt?
    }

    package let id: Int32
    private let state: Mutex<State>

    /// - Parameter environment: all of it; nothing is inherited.
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

    /// How the process ended; `nil` while it runs.
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

    /// Waits until the process ends.
    @discardableResult
    package func wait(within limit: Duration = .seconds(30)) async throws -> ExitStatus {
        try await eventually("process \(id) ends", within: limit) { !isRunning }
        guard let status = exitStatus else { throw TestSupportError("process \(id) has not ended") }
        return status
    }

    /// Ends it at once, as a crash or the kernel would.
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
            // The child is not reaped yet, so its id cannot have a new owner while the watchdog still knows it.
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

    /// A shell that reads a pipe nobody writes to; when this process is gone the read ends and it kills the child.
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

/// How a process ended.
package enum ExitStatus: Hashable, Sendable {
    case exited(CInt)
    case signalled(CInt)

    init(waitStatus: CInt) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited(waitStatus >> 8 & 0xff) : .signalled(signal)
    }
}
