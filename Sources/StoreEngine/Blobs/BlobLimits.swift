/// Bounds of exports and imports.
public enum BlobLimits {
    /// Most bytes of one piece, either way.
    public static let pieceBytesMax = 1 << 20
    /// Exports and imports that run at once.
    public static let sessionsMax = 8
    /// An export or import that nobody uses for so long ends.
    public static let idleSecondsMax = 30
    /// An export or import that lasts longer ends, however busy it is.
    public static let lifetimeSecondsMax = 3_600
    /// Requests that may wait for the thread of exports and imports.
    public static let waitingRequestsMax = 256
    /// Messages that an import saves at once.
    public static let importBatchMessagesMax = 500
    /// Bytes of text that an import saves at once.
    public static let importBatchBytesMax = 1 << 20
    /// Bytes of an import's id.
    public static let importIDBytesMax = 64
}
