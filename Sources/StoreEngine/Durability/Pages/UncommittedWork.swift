/// The amount of work in the open transaction, and the amount at which a commit is due. The limit is the number of
/// statement bytes that changes about `WALBounds.commitFrames` pages, estimated from previous commits. Statements about
/// neighbouring rows change the same pages, so that one commit contains many more of them.
struct UncommittedWork {
    private let bounds: WALBounds
    private var bytes = 0
    private var bytesMax: Int
    /// The number of frames that the WAL contained when the last commit ended.
    private var walFrames = 0

    init(_ bounds: WALBounds) {
        self.bounds = bounds
        bytesMax = bounds.commitBytes.upperBound / 3
    }

    mutating func add(bytes: Int) {
        self.bytes += bytes
    }

    var isCommitDue: Bool { bytes >= bytesMax }

    /// Records a commit of pages.
    ///
    /// - Parameter walFrames: the frames in the WAL after the commit.
    mutating func commit(walFrames: Int) {
        // A smaller number than before means that the WAL has started over.
        let frames = walFrames > self.walFrames ? walFrames - self.walFrames : walFrames
        // Small commits, which happen when readers wait, do not change the estimate.
        if bytes >= bounds.commitBytes.lowerBound / 4, frames > 0 {
            let wanted = bytes * bounds.commitFrames / frames
            let next = (3 * bytesMax + wanted) / 4
            bytesMax = min(max(next, bounds.commitBytes.lowerBound), bounds.commitBytes.upperBound)
        }
        self.walFrames = walFrames
        bytes = 0
    }
}
