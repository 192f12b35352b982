import Glibc
import Logging
import ServiceSupport
import StoreServer

/// Where the audit goes: to the journal by fields where standard error is its stream, else into the log.
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
