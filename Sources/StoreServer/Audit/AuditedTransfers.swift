import Synchronization

/// The backups that one connection reads or writes in parts. The audit log has one entry per backup, which is written
/// with the first completed part. A transfer that starts again at its first byte is a new one.
final class AuditedTransfers: Sendable {
    private let recorded = Mutex<Set<Transfer>>([])

    /// Records that a part was carried out. Returns whether the audit log needs an entry for the transfer.
    func carriedOut(_ transfer: Transfer) -> Bool {
        var named = transfer
        named.isBeginning = false
        return recorded.withLock { recorded in recorded.insert(named).inserted || transfer.isBeginning }
    }
}
