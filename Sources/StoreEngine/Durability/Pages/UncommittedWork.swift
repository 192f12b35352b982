/// How much waits in the open transaction, and how much may: as many statements as change about
/// `WALBounds.commitFrames` pages, learned from the commits before. Neighbouring rows share pages, so that many more
/// statements make one commit then.
struct UncommittedWork {
    private let bounds: WALBounds
    private var bytes = 0
    private var bytesMax: Int
    /// Frames of the WAL at the last commit.
    private var walFrames = 0

    init(_ bounds: WALBounds) {
        self.bounds = bounds
        bytesMax = bounds.commitBytes.upperBound / 3
    }

    mutating func add(bytes: Int) {
        self.bytes += bytes
    }

    /// Its pages are to be committed now.
    var isCommitDue: Bool { bytes >= bytesMax }

    /// - Parameter walFrames: in the WAL behind the commit.
    mutating func commit(walFrames: Int) {
        // Fewer than before: the WAL has begun anew.
        let frames = walFrames > self.walFrames ? walFrames - self.walFrames : walFrames
        // What readers have asked for is too little to learn from.
        if bytes >= bounds.commitBytes.lowerBound / 4, frames > 0 {
            let wanted = bytes * bounds.commitFrames / frames
            let next = (3 * bytesMax + wanted) / 4
            bytesMax = min(max(next, bounds.commitBytes.lowerBound), bounds.commitBytes.upperBound)
        }
        self.walFrames = walFrames
        bytes = 0
    }
}
