/// How an export is sealed.
public enum BlobSeal: ~Copyable, Sendable {
    /// Not at all: the file holds plain text.
    case none
    /// With a passphrase. Low cost is for tests and needs the daemon's leave.
    case passphrase(SecretInput, lowCost: Bool)
    /// For whoever has the secret half of this X25519 key: 32 bytes.
    case recipient(publicKey: [UInt8])
}

/// A running export or import. It ends with its last piece or report, its first error, after 30 seconds without use,
/// an hour after it began, and when the store is locked; an export also when it keeps the write-ahead log from being
/// emptied while 48 MiB are written to it.
public struct BlobSession: Hashable, Sendable {
    let number: UInt64
}
