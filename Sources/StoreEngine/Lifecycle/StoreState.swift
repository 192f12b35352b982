/// What the daemon can do for its clients now.
package enum StoreState: Hashable, Sendable {
    /// No store in the state directory yet.
    case absent
    case locked
    case open
    /// Open, but the disk is full: reads and deletes work.
    case readOnly
    /// The store could not be opened; nothing was touched. The reason is one of `wrongKey`, `keyMissing`,
    /// `keyringDamaged`, `databaseDamaged`, `newerSchema` and `storageFailed`.
    case failed(StoreError)
}
