/// How the daemon ends, after sysexits(3) so that service managers and scripts can tell the cases apart.
/// `ghoststored --help` lists them.
enum ExitCode: Int32, Sendable, CaseIterable {
    /// Stopped as asked.
    case success = 0
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// Another daemon has the state directory or the socket (EX_UNAVAILABLE).
    case unavailable = 69
    /// A part of the daemon failed (EX_SOFTWARE).
    case `internal` = 70
    /// The socket, the state directory or a key file cannot be created (EX_CANTCREAT).
    case cannotCreate = 73
    /// Storage or page encryption failed: what was not answered may be lost, the rest is on disk (EX_IOERR).
    case storageFailed = 74
    /// The configuration is wrong (EX_CONFIG). Starting again without a change is of no use.
    case configuration = 78

    var meaning: String {
        switch self {
        case .success: "stopped as asked"
        case .usage: "the command line is wrong"
        case .unavailable: "another daemon has the state directory or the socket"
        case .internal: "a part of the daemon failed"
        case .cannotCreate: "the socket, the state directory or a key file cannot be created"
        case .storageFailed: "storage or the encryption of a page failed"
        case .configuration: "the configuration is wrong"
        }
    }
}
