/// How an archive is sealed.
public enum ArchiveSeal: ~Copyable, Sendable {
    /// Not at all: the file holds plain text.
    case none
    /// With a passphrase. Low cost is for tests and needs the daemon's leave.
    case passphrase(SecretInput, lowCost: Bool)
    /// For whoever has the secret half of one of these X25519 keys: 1 to 16, of 32 bytes each.
    case recipients(publicKeys: [[UInt8]])
}

/// An archive that is being made, or a restore that runs. It ends with its last piece or report, its first error, after
/// 30 seconds without use, and when the store is locked; an archive also an hour after it began, and when it keeps the
/// write-ahead log from being emptied while 48 MiB are written to it.
public struct ArchiveSession: Hashable, Sendable {
    let number: UInt64
}

/// What a restore does with the archive.
public enum ArchiveAim: String, Hashable, Sendable, Codable, CaseIterable {
    /// Reads and checks all of it, and looks at no store.
    case verify
    /// Restores into a store that holds nothing.
    case fillEmpty = "fill_empty"
    /// Restores into whatever the store holds: by id, the newer stays.
    case merge
}
