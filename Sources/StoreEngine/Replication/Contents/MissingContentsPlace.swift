import SQLCipher
import StoreBasics

/// The position of the cyclic scan over missing contents. Each step examines the same number of rows, however many
/// there are.
final class MissingContentsPlace: TransactionCache {
    private var last: [UInt8] = []

    /// Returns the contents to request now, among the next rows.
    func due(
        _ ownDevice: UInt64, deviceCount: Int, now: Timestamp, age: Timestamp, _ connection: Connection
    ) throws(StoreError) -> [MissingContentRows.Row] {
        let (found, last) = try MissingContentRows.due(
            after: self.last, ownDevice, deviceCount: deviceCount, now: now, age: age, connection)
        self.last = last ?? []
        return found
    }

    /// Does nothing, because the position need not be restored: after the last row the scan continues with the first
    /// row, so it reaches every row from any position.
    func committed() {}
    func rolledBack(_ extent: RollbackExtent) {}

    func closed() {
        last = []
    }
}
