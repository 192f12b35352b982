/// Why the agent does not start or go on, and how it ends.
struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
    let exitCode: ExitCode
    /// Lower case, cause first, then a hint.
    let message: String

    init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    var description: String {
        message
    }
}

/// How the agent ends, after sysexits(3), as the daemon does. Servers or a daemon that do not answer end nothing.
enum ExitCode: Int32, Sendable, CaseIterable {
    /// Stopped as asked.
    case success = 0
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// A part of the agent failed (EX_SOFTWARE).
    case `internal` = 70
    /// The configuration is wrong (EX_CONFIG). Starting again without a change is of no use.
    case configuration = 78

    var meaning: String {
        switch self {
        case .success: "stopped as asked"
        case .usage: "the command line is wrong"
        case .internal: "a part of the agent failed"
        case .configuration: "the configuration is wrong"
        }
    }
}
