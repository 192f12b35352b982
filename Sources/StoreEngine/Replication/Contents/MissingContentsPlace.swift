import SQLCipher
import StoreBasics

/// How far the look at missing contents has come, which goes round: each look takes the same time, however many there
/// are.
final class MissingContentsPlace: TransactionCache {
    private var last: [UInt8] = []

    /// Of the next ones those for which nothing is to be waited for any more.
    func due(
        _ ownDevice: UInt64, now: Timestamp, _ connection: Connection
    ) throws(StoreError) -> [MissingContentRows.Row] {
        let (found, last) = try MissingContentRows.due(after: self.last, ownDevice, now: now, connection)
        self.last = last ?? []
        return found
    }

    /// The walk starts over at its end, so every place to continue from is right.
    func committed() {}
    func rolledBack(_ extent: RollbackExtent) {}

    func closed() {
        last = []
    }
}
