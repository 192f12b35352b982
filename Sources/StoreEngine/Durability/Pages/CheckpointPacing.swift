/// How often a WAL that a reader keeps from starting over is checkpointed while it grows: each time costs two fsyncs
/// and gets nothing but what was written since the last.
struct CheckpointPacing {
    private var bytesAtLast = 0

    /// Asked after each commit; true counts as a checkpoint.
    mutating func isDue(walBytes: Int, _ bounds: WALBounds) -> Bool {
        guard walBytes >= bounds.checkpointBytes else {
            bytesAtLast = 0
            return false
        }
        // Fewer bytes than before: the WAL has started over in between.
        guard walBytes < bytesAtLast || walBytes - bytesAtLast >= bounds.checkpointBytes / 4 else { return false }
        bytesAtLast = walBytes
        return true
    }
}
