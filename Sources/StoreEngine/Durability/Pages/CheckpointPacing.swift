/// Limits how often a growing WAL is checkpointed while a reader prevents it from starting over. Each checkpoint costs
/// two fsyncs and copies only the frames since the last checkpoint.
struct CheckpointPacing {
    private var bytesAtLast = 0

    /// Returns true if a checkpoint is due after a commit. The caller must then do it: later calls assume that it was
    /// done.
    mutating func isDue(walBytes: Int, _ bounds: WALBounds) -> Bool {
        guard walBytes >= bounds.checkpointBytes else {
            bytesAtLast = 0
            return false
        }
        // A smaller WAL than at the last checkpoint has started over since.
        guard walBytes < bytesAtLast || walBytes - bytesAtLast >= bounds.checkpointBytes / 4 else { return false }
        bytesAtLast = walBytes
        return true
    }
}
