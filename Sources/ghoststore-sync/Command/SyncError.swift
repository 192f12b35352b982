/// An error that prevents the agent from starting or continuing, with the exit code.
struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
    let exitCode: ExitCode
    /// The message, in lower case: the cause, then a hint.
    let message: String

    init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    var description: String {
        message
    }
}

/// The exit codes of the agent. They follow sysexits(3) and mean the same as the daemon's. There is no code for servers
/// or a daemon that do not answer, because the agent then continues and tries again.
enum ExitCode: Int32, Sendable, CaseIterable {
    /// The agent was stopped by a signal.
    case success = 0
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// The folder or the other end of a pipe cannot be used (EX_UNAVAILABLE).
    case unavailable = 69
    /// A part of the agent failed (EX_SOFTWARE).
    case `internal` = 70
    /// The configuration is wrong (EX_CONFIG). Restarting without a change is useless.
    case configuration = 78

    var meaning: String {
        switch self {
        case .success: "stopped as asked"
        case .usage: "the command line is wrong"
        case .unavailable: "the folder or the other end of a pipe cannot be used"
        case .internal: "a part of the agent failed"
        case .configuration: "the configuration is wrong"
        }
    }
}
