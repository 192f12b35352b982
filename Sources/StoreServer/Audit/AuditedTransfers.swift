import Synchronization

/// The backups that one connection reads or writes piece by piece: each is one act to the audit, told when a piece of
/// it was first carried out. One that begins again, at its first byte, is another.
final class AuditedTransfers: Sendable {
    private let told = Mutex<Set<Transfer>>([])

    /// A piece was carried out. Returns whether it is to be told.
    func carriedOut(_ transfer: Transfer) -> Bool {
        var named = transfer
        named.isBeginning = false
        return told.withLock { told in told.insert(named).inserted || transfer.isBeginning }
    }
}
