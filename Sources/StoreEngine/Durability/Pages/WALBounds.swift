/// Sizes at which the writer commits pages and checkpoints, and at which readers that hold the WAL must end. Tests
/// choose small ones so that they need not write hundreds of megabytes; operators cannot set them.
package struct WALBounds: Hashable, Sendable {
    /// Pages that a commit of answered writes is to have about: some six milliseconds' work. Of more, fewer pages are
    /// written for each message, since neighbours share them, and fewer callers meet a commit.
    package var commitFrames = 1_000
    /// The fewest and the most bytes of statements of such a commit, which that number of pages decides between.
    package var commitBytes = (64 << 10)...(768 << 10)
    /// WAL pages after which the writer checkpoints, in bytes; twice as many while each group makes a commit due.
    package var checkpointBytes = 8 << 20
    /// What a WAL that an export keeps from starting over may grow to before exports end, in bytes.
    package var heldBytesMax = 48 << 20
    /// The same before a check ends, which lets go of it between its parts: the longest reads every page once.
    package var heldByCheckBytesMax = 256 << 20

    package init() {}
}
