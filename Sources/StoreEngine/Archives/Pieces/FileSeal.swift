package import StoreCrypto

/// The seal of a file that leaves the store.
package enum FileSeal: Sendable {
    case none
    /// A passphrase. Low cost is for tests, and must be allowed by the configuration.
    case passphrase(SlotSecretBox, lowCost: Bool)
    /// The public keys of X25519 key pairs, 32 bytes each. Any one of the secret keys opens the file. The file format
    /// limits their number.
    case recipients(publicKeys: [[UInt8]])
}
