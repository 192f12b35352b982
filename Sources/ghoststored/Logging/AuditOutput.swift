import Glibc
import Logging
import ServiceSupport
import StoreServer

/// The choice of the audit log's output: structured entries in the journal if standard error is connected to it,
/// otherwise lines in the log.
enum AuditOutput {
    static func choose(_ format: LogLineFormat, logger: Logger) -> AuditLog.Output {
        switch format {
        case .journal:
            guard access(JournalSocket.standardPath, W_OK) == 0, let journal = try? JournalSocket() else {
                return .lines(logger)
            }
            return .journal(journal)
        case .terminal:
            return .lines(logger)
        }
    }
}
