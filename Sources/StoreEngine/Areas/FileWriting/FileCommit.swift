import StoreBasics

/// A commit that the thread of file writes asks the writer for.
struct FileCommit: Sendable {
    enum Work: Sendable {
        /// `nil` for a write that does not run: it may have, and its answer be kept.
        case complete(FileCompletion?)
        /// Slots of a content have been overwritten.
        case forgetFreedSlots(Int64, Range<UInt64>)
    }

    let work: Work
    var idempotencyKey: IdempotencyKey?
    var owner = WorkOwner.daemon
    var history: HistoryID?
}
