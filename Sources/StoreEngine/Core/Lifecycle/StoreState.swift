package import StoreBasics

extension StoreState {
    /// What a request for data gets when the store is not open.
    var notOpenError: StoreError {
        switch self {
        case .absent:
            StoreError(.storeAbsent, "there is no store yet; create one with `ghoststorectl init`")
        case .locked, .open, .readOnly:
            StoreError(.storeLocked, "the store is locked; unlock it with `ghoststorectl unlock`")
        case .failed(let error):
            error
        }
    }

    package var isOpen: Bool {
        self == .open || self == .readOnly
    }
}

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

/// Why the store that was open is gone for those who follow it.
package enum StoreEnding: Sendable, Hashable {
    /// By command, by the owner's signal or after idle time.
    case locked
    /// A backup took its place and is open, as this history.
    case replaced(HistoryID)
}
