package import StoreCrypto

/// How a file that leaves the store is sealed.
package enum FileSeal: Sendable {
    case none
    /// A passphrase. Low cost is for tests and needs the configuration's leave.
    case passphrase(SlotSecretBox, lowCost: Bool)
    /// The public halves of X25519 key pairs, 32 bytes each: whoever has one of the secret halves opens it. As many as
    /// the format allows.
    case recipients(publicKeys: [[UInt8]])
}
