/// Limits of exports and imports, which transfer a file in parts.
package enum BlobLimits {
    /// The most bytes of one part, in both directions.
    package static let pieceBytesMax = 1 << 20
    /// The most exports and imports that run at once. Users share them, according to `FairShare`.
    package static let sessionsMax = 8
    /// The time after which an unused export or import ends.
    package static let idleSecondsMax = 30
    /// The longest time of an export or import, even if it is in use.
    package static let lifetimeSecondsMax = 3_600
    /// The most requests that wait for the thread of exports and imports.
    package static let waitingRequestsMax = 256
    /// The most bytes of text that an import saves in one batch.
    package static let importBatchBytesMax = 1 << 20
    /// The most bytes of the id that a client gives to an import.
    package static let importIDBytesMax = 64
}
