import StoreBasics

/// A commit that the thread of file writes requests from the writer.
struct FileCommit: Sendable {
    enum Work: Sendable {
        /// Completes a write; `nil` if the write is not running. It may have been completed before, with its answer
        /// stored under its idempotency key.
        case complete(FileCompletion?)
        /// Slots of a content were overwritten and can be forgotten.
        case forgetFreedSlots(Int64, Range<UInt64>)
    }

    let work: Work
    var idempotencyKey: IdempotencyKey?
    var owner = WorkOwner.daemon
    var history: HistoryID?
}
