/// The protection of an archive.
public enum ArchiveSeal: ~Copyable, Sendable {
    /// No protection: the file is plain text.
    case none
    /// A passphrase opens the file. `lowCost` makes the key derivation fast, for tests. The daemon refuses it unless
    /// its configuration allows it.
    case passphrase(SecretInput, lowCost: Bool)
    /// The secret key of any of these X25519 keys opens the file: 1 to 16 keys of 32 bytes each.
    case recipients(publicKeys: [[UInt8]])
}

/// The protection of a message file.
public enum BlobSeal: ~Copyable, Sendable {
    /// No protection: the file is plain text.
    case none
    /// A passphrase opens the file. `lowCost` makes the key derivation fast, for tests. The daemon refuses it unless
    /// its configuration allows it.
    case passphrase(SecretInput, lowCost: Bool)
    /// The secret key of this X25519 key opens the file: 32 bytes.
    case recipient(publicKey: [UInt8])
}

/// The secret that opens a new slot.
public enum NewKeySlot: ~Copyable, Sendable {
    /// A secret from the caller. The slot has the secret's kind.
    case secret(SecretInput)
    /// A recovery code that the daemon creates and returns once.
    case generatedRecoveryCode
}
