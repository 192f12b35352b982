import SQLCipher
import StoreBasics
import StoreCrypto

/// Caches the keys of this device, because decoding them takes as long as sealing. A device's keys never change, and
/// its number is derived from them.
final class ReplicaKeyCache: TransactionCache {
    /// The cached keys, which callers share without a copy.
    final class Kept {
        let device: UInt64
        let keys: ReplicaDeviceKeys

        fileprivate init(_ keys: consuming ReplicaDeviceKeys, of device: UInt64) {
            self.keys = keys
            self.device = device
        }
    }

    private(set) var kept: Kept?

    func keys(of device: UInt64, _ connection: Connection) throws(StoreError) -> Kept {
        if let kept, kept.device == device { return kept }
        let read = Kept(try ReplicaGroupRow.keys(connection), of: device)
        kept = read
        return read
    }

    /// Does nothing: keys are found by the number of their device, which is derived from its signing key, so a rollback
    /// cannot change them.
    func committed() {}
    func rolledBack(_ extent: RollbackExtent) {}

    func closed() {
        kept = nil
    }
}
