/// Sizes at which the writer commits pages and checkpoints, and at which readers that hold the WAL must end. Tests use
/// small values to avoid writing hundreds of megabytes; operators cannot set them.
package struct WALBounds: Hashable, Sendable {
    /// The approximate number of pages in one commit of acknowledged writes: about six milliseconds of work. A larger
    /// number writes fewer pages per message, because neighbouring rows share pages, and makes fewer callers wait for a
    /// commit.
    package var commitFrames = 1_000
    /// The limits for the number of statement bytes in one commit of acknowledged writes. They hold even if
    /// `commitFrames` suggests another number.
    package var commitBytes = (64 << 10)...(768 << 10)
    /// The size of the WAL in bytes at which the writer checkpoints. The size is twice as large after a batch that also
    /// makes a commit due.
    package var checkpointBytes = 8 << 20
    /// The size in bytes to which the WAL may grow while an export prevents it from starting over. Exports are ended
    /// when the WAL grows larger.
    package var heldBytesMax = 48 << 20
    /// The size in bytes to which the WAL may grow while an integrity check prevents it from starting over. A check
    /// releases its snapshot between its parts; the longest part reads every page once.
    package var heldByCheckBytesMax = 256 << 20

    package init() {}
}
