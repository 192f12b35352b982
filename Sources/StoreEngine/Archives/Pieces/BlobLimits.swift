/// Bounds of exports and imports.
package enum BlobLimits {
    /// Most bytes of one piece, either way.
    package static let pieceBytesMax = 1 << 20
    /// Exports and imports that run at once. Users share them: see `FairShare`.
    package static let sessionsMax = 8
    /// An export or import that nobody uses for so long ends.
    package static let idleSecondsMax = 30
    /// An export or import that lasts longer ends, however busy it is.
    package static let lifetimeSecondsMax = 3_600
    /// Requests that may wait for the thread of exports and imports.
    package static let waitingRequestsMax = 256
    /// Bytes of text that an import saves at once.
    package static let importBatchBytesMax = 1 << 20
    /// Bytes of an import's id.
    package static let importIDBytesMax = 64
}
