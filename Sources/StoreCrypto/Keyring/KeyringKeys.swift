/// Every key that an open keyring holds in memory.
struct KeyringKeys: ~Copyable, Sendable {
    let authenticity: AuthenticityKey
    var current: MasterKey
    /// The master key being rotated to.
    var next: MasterKey?

    static func generate() throws(CryptoError) -> KeyringKeys {
        KeyringKeys(authenticity: try AuthenticityKey.generate(), current: try MasterKey.generate(), next: nil)
    }
}
