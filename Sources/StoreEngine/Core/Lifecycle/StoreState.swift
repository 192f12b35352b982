package import StoreBasics

extension StoreState {
    /// The error for a data request while the store is not open.
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

/// The state of the store, which determines the requests that the daemon can serve.
package enum StoreState: Hashable, Sendable {
    /// The state directory contains no store yet.
    case absent
    case locked
    case open
    /// The store is open, but the disk is full: reads and deletes work.
    case readOnly
    /// The store could not be opened, or the open store was found to be damaged: it accepts no writes, and its files
    /// stay as they are. The error has the reason.
    case failed(StoreError)
}

/// The reason for which an open store has become unavailable to its watchers.
package enum StoreEnding: Sendable, Hashable {
    /// The store was locked by command, by the owner's signal or after idle time.
    case locked
    /// A backup replaced the store and is open, with this history.
    case replaced(HistoryID)
}
