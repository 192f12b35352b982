/// Whether the last requests of an event loop were all writes of one connection: nobody else waits while the loop does
/// such a write itself.
struct LoopActivity {
    /// So many that a loop with work of several connections, which is to be committed together, is not taken for one
    /// with work of one. Reads between the writes need their pages, which are better committed beside the loop.
    private static let writesMin = 8

    private var writer: ConnectionID = 0
    private var writes = 0

    mutating func note(_ connection: ConnectionID, isWrite: Bool) {
        writes = connection == writer && isWrite ? writes + 1 : 0
        writer = connection
    }

    var isOfOneWriter: Bool { writes >= Self.writesMin }
}
