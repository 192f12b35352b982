/// Detects whether the last requests of an event loop were all writes of one connection. Then no other connection waits
/// while the loop performs such a write itself.
struct LoopActivity {
    /// The number of consecutive writes after which a loop counts as serving a single writer. It is large enough that a
    /// loop with several writers, whose writes should share a commit, is not mistaken for a loop with a single writer.
    /// A read resets the count: it needs pages that earlier writes have changed, and such writes are better committed
    /// on another thread.
    private static let writesMin = 8

    private var writer: ConnectionID = 0
    private var writes = 0

    mutating func recordRequest(_ connection: ConnectionID, isWrite: Bool) {
        writes = connection == writer && isWrite ? writes + 1 : 0
        writer = connection
    }

    var isOfOneWriter: Bool { writes >= Self.writesMin }
}
