import StoreBasics

/// A commit that the thread of file writes requests from the writer.
struct FileCommit: Sendable {
    enum Work: Sendable {
        /// Completes a write; `nil` if no such write is running. The writer then returns the answer that is stored
        /// under the idempotency key, or throws `.fileWriteNotFound` if there is none.
        case complete(FileCompletion?)
        /// Deletes the rows of a content's freed slots after the slots were overwritten on the disk.
        case forgetFreedSlots(Int64, Range<UInt64>)
    }

    let work: Work
    var idempotencyKey: IdempotencyKey?
    var owner = WorkOwner.daemon
    var history: HistoryID?
}
