import StoreBasics

/// Something that the writer keeps in memory about the store from one transaction to the next.
///
/// The writer holds a list of all caches. A cache that a transaction has changed must be right again after the
/// transaction was rolled back: the writer calls exactly one of `committed` and `rolledBack` for each group.
protocol TransactionCache: AnyObject {
    /// The group's changes are durable.
    func committed()
    /// The group failed, and nothing of it is kept.
    func rolledBack(_ extent: RollbackExtent)
    /// The store was closed.
    func closed()
}

/// The work that was undone with a group that failed.
enum RollbackExtent {
    /// Nothing: the group had written nothing yet.
    case nothing
    /// The whole transaction, with acknowledged writes whose pages were not committed yet. They are replayed from the
    /// journal before the next group.
    case transaction
}
