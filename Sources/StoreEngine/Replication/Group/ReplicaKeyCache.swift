import SQLCipher
import StoreBasics
import StoreCrypto

/// The keys of this device, as they were last read: making them of what is at rest takes as long as sealing. A device's
/// keys never change, and its number is made of them.
final class ReplicaKeyCache: TransactionCache {
    /// Handed on without a copy.
    final class Kept {
        fileprivate let device: UInt64
        let keys: ReplicaDeviceKeys

        fileprivate init(_ keys: consuming ReplicaDeviceKeys, of device: UInt64) {
            self.keys = keys
            self.device = device
        }
    }

    private var kept: Kept?

    /// The device whose keys are kept.
    var device: UInt64? { kept?.device }

    func keys(of device: UInt64, _ connection: Connection) throws(StoreError) -> Kept {
        if let kept, kept.device == device { return kept }
        let read = Kept(try ReplicaGroupRow.keys(connection), of: device)
        kept = read
        return read
    }

    /// The keys are found by the number of their device, which is derived from its signing key: a rollback changes
    /// nothing in them.
    func committed() {}
    func rolledBack(_ extent: RollbackExtent) {}

    func closed() {
        kept = nil
    }
}
