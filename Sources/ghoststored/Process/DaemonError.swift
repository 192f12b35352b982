import Glibc
import Logging
import ServiceSupport
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreServer

/// An error that prevents the daemon from starting or continuing, with the exit code.
struct DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    let exitCode: ExitCode
    /// The message, in lower case: the cause, then a hint.
    let message: String

    init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    static func configuration(_ message: String) -> DaemonError {
        DaemonError(.configuration, message)
    }

    init(_ error: ServerError) {
        let exitCode: ExitCode =
            switch error.code {
            case .configuration: .configuration
            case .socketInUse: .unavailable
            case .socketNotCreated: .cannotCreate
            case .system: .internal
            }
        self.init(exitCode, error.message)
    }

    init(_ error: ServiceError) {
        let exitCode: ExitCode =
            switch error.code {
            case .configuration: .configuration
            case .system: .internal
            }
        self.init(exitCode, error.message)
    }

    /// Creates the error for a failed start of the engine, or for a failed creation of a store.
    init(_ error: StoreError) {
        let exitCode: ExitCode =
            switch error.reason {
            case .storeBusy: .unavailable
            case .storageFailed, .diskFull: .cannotCreate
            case .invalidArgument, .keyMissing, .storeExists: .configuration
            default: .internal
            }
        self.init(exitCode, error.message)
    }

    /// Creates the error for a failure with a key file.
    init(_ error: CryptoError) {
        self.init(error.code == .keyFileInvalid ? .configuration : .cannotCreate, error.message)
    }

    var description: String {
        message
    }
}

/// The exit codes of the daemon. They follow sysexits(3), so that service managers and scripts can distinguish the
/// cases. `ghoststored --help` lists them.
enum ExitCode: Int32, Sendable, CaseIterable {
    /// The daemon was stopped by a signal.
    case success = 0
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// Another daemon uses the state directory or the socket (EX_UNAVAILABLE).
    case unavailable = 69
    /// A part of the daemon failed (EX_SOFTWARE).
    case `internal` = 70
    /// The socket, the state directory or a key file cannot be created (EX_CANTCREAT).
    case cannotCreate = 73
    /// Storage or page encryption failed (EX_IOERR). Acknowledged writes are on disk; others may be lost.
    case storageFailed = 74
    /// The configuration is wrong (EX_CONFIG). Restarting without a change is useless.
    case configuration = 78

    var meaning: String {
        switch self {
        case .success: "stopped as asked"
        case .usage: "the command line is wrong"
        case .unavailable: "another daemon uses the state directory or the socket"
        case .internal: "a part of the daemon failed"
        case .cannotCreate: "the socket, the state directory or a key file cannot be created"
        case .storageFailed: "storage or the encryption of a page failed"
        case .configuration: "the configuration is wrong"
        }
    }
}

/// Ends the process after a write that may not be on disk: at once, without answering further requests. The next start
/// reads the real state from the disk. Retrying a sync proves nothing (https://wiki.postgresql.org/wiki/Fsync_Errors).
enum LostDurability {
    static func end(_ error: StoreError, notifier: ServiceNotifier, logger: Logger) -> Never {
        logger.critical("storage failed: the daemon ends", metadata: ["error": "\(error.message)"])
        notifier.send(.status("ended because storage failed: \(error.message)"))
        _exit(ExitCode.storageFailed.rawValue)
    }

    /// Ends the process from inside SQLite, because a page could not be protected. Writes one line without the logger,
    /// which would allocate memory.
    static func endInsideDatabase(_ cause: StaticString, format: LogLineFormat) -> Never {
        let line = (piece(format.criticalPrefix), piece(cause), piece(": the daemon ends\n"))
        withUnsafeBytes(of: line) { pieces in
            _ = writev(STDERR_FILENO, pieces.assumingMemoryBound(to: iovec.self).baseAddress, 3)
        }
        _exit(ExitCode.storageFailed.rawValue)
    }

    private static func piece(_ text: StaticString) -> iovec {
        iovec(iov_base: UnsafeMutableRawPointer(mutating: text.utf8Start), iov_len: text.utf8CodeUnitCount)
    }
}
