/// The key under which the whole keyring file is authenticated: 32 random bytes, the same in every slot, never
/// rotated (a slot whose secret is absent could not be given a new one that it can trust).
struct AuthenticityKey: ~Copyable, Sendable {
    static let keyBytes = 32

    let bytes: SecretBytes

    init(bytes: consuming SecretBytes) {
        precondition(bytes.count == Self.keyBytes, "an authenticity key has \(Self.keyBytes) bytes")
        self.bytes = bytes
    }

    static func generate() throws(CryptoError) -> AuthenticityKey {
        AuthenticityKey(bytes: try SecretBytes.random(count: keyBytes))
    }

    borrowing func authenticator(of message: [UInt8]) -> [UInt8] {
        Blake2b.authenticator(of: message, key: bytes)
    }
}
