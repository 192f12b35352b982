internal import Glibc
internal import Logging
internal import StoreEngine
internal import StoreServer

/// The end after a write that may not be on disk: at once, without answering anything more. The next start reads what
/// is really there (https://wiki.postgresql.org/wiki/Fsync_Errors tells why trying again proves nothing).
enum LostDurability {
    static func end(_ error: StoreError, notifier: ServiceNotifier, logger: Logger) -> Never {
        logger.critical("storage failed: the daemon ends", metadata: ["error": "\(error.message)"])
        notifier.send(.status("ended because storage failed: \(error.message)"))
        _exit(ExitCode.storageFailed.rawValue)
    }

    /// The end from inside SQLite, for a page that could not be protected: one line, written without a logger, which
    /// would allocate.
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
