import StoreBasics

/// An in-memory cache of the writer that lives longer than one transaction.
///
/// The writer has a list of all caches. A cache that a transaction has changed must be valid again after the
/// transaction was rolled back: the writer calls exactly one of `committed` and `rolledBack` for each batch.
protocol TransactionCache: AnyObject {
    /// Called when the batch's changes are durable.
    func committed()
    /// Called when the batch failed and all its changes were undone.
    func rolledBack(_ extent: RollbackExtent)
    /// Called when the store was closed, so that the cache discards everything.
    func closed()
}

/// The work that was undone together with a failed batch.
enum RollbackExtent {
    /// The batch had written nothing.
    case nothing
    /// The whole transaction, including acknowledged writes whose pages were not committed yet. They are replayed from
    /// the journal before the next batch.
    case transaction
}
