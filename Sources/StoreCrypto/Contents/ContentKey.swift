import CSodium

/// The 32 random bytes that belong to one content of the vault alone. Kept in the encrypted database beside what the
/// content is: without its row the content's file is noise.
package struct ContentKey: ~Copyable, Sendable {
    package static let keyBytes = 32

    /// Subkeys: the content's chunks and its file's header are sealed under different keys.
    private enum Subkey: UInt64 {
        case chunks = 1
        case header = 2
    }

    private let bytes: SecretBytes

    /// - Parameter bytes: `keyBytes` of them.
    package init(bytes: consuming SecretBytes) {
        precondition(bytes.count == Self.keyBytes, "a content's key must have \(Self.keyBytes) bytes")
        self.bytes = bytes
    }

    /// A new key.
    package static func generate() throws(CryptoError) -> ContentKey {
        ContentKey(bytes: try SecretBytes.random(count: keyBytes))
    }

    /// Lends the bytes, to be kept in the database. The pointer must not outlive `body`.
    package borrowing func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R
    {
        try bytes.withUnsafeBytes(body)
    }

    borrowing func chunkKey() throws(CryptoError) -> SecretBytes {
        try subkey(.chunks)
    }

    borrowing func headerAuthenticator(of header: [UInt8]) throws(CryptoError) -> [UInt8] {
        Blake2b.authenticator(of: header, key: try subkey(.header))
    }

    private borrowing func subkey(_ subkey: Subkey) throws(CryptoError) -> SecretBytes {
        try SubkeyDerivation.subkey(subkey.rawValue, of: bytes, context: .contentKey, count: Self.keyBytes)
    }
}
