import CSodium

/// The random 32-byte key of one content of the vault. The encrypted database stores the key. After the database has
/// deleted the key, the content's file cannot be decrypted any more.
package struct ContentKey: ~Copyable, Sendable {
    package static let keyBytes = 32

    /// The purposes of subkeys. The content's chunks and its file's header use different keys.
    private enum Subkey: UInt64 {
        case chunks = 1
        case header = 2
    }

    private let bytes: SecretBytes

    /// - Parameter bytes: exactly `keyBytes` bytes.
    package init(bytes: consuming SecretBytes) {
        precondition(bytes.count == Self.keyBytes, "a content's key must have \(Self.keyBytes) bytes")
        self.bytes = bytes
    }

    /// - Throws: `.memoryUnavailable`, `.sodiumUnavailable`.
    package static func generate() throws(CryptoError) -> ContentKey {
        ContentKey(bytes: try SecretBytes.random(count: keyBytes))
    }

    /// Lends the bytes for storing them in the database. The pointer must not outlive `body`.
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
