import CSodium
internal import Interchange

/// The 32-byte key of one sealed file, from which come the key of its stream and that of its header's authenticator.
struct SealedFileKey: ~Copyable {
    static let keyBytes = 32

    private enum Subkey: UInt64 {
        case stream = 1
        case authenticator = 2
    }

    let bytes: SecretBytes

    init(bytes: consuming SecretBytes) {
        precondition(bytes.count == Self.keyBytes, "a file key has \(Self.keyBytes) bytes")
        self.bytes = bytes
    }

    borrowing func streamKey() throws(CryptoError) -> SecretBytes {
        try subkey(.stream)
    }

    /// Authenticates a header and commits to the key: XChaCha20-Poly1305 alone would let a stream be made that opens
    /// under two.
    borrowing func authenticator(of header: [UInt8]) throws(CryptoError) -> [UInt8] {
        Blake2b.authenticator(of: header, key: try subkey(.authenticator))
    }

    private borrowing func subkey(_ subkey: Subkey) throws(CryptoError) -> SecretBytes {
        try SubkeyDerivation.subkey(subkey.rawValue, of: bytes, context: .sealedFileKey, count: Self.keyBytes)
    }
}

/// Bounds of sealed files.
package enum SealedFileLimits {
    /// Plaintext bytes of every chunk but the last, which has 0 to as many.
    package static let chunkBytes = 64 << 10
    /// A file from elsewhere must not make the process allocate more.
    package static let memoryBytesMax: UInt64 = 512 << 20
    /// A file from elsewhere must not keep the process busy for longer (a few seconds at the most memory).
    package static let passesMax: UInt32 = 8

    /// What secretstream adds to each chunk: a tag byte and an authenticator.
    static let chunkOverheadBytes = 17
    static let sealedChunkBytes = chunkBytes + chunkOverheadBytes

    /// Bytes of the sealed form of `contentBytes` bytes, header included.
    package static func sealedBytes(contentBytes: UInt64, headerBytes: Int) -> UInt64 {
        let chunks = contentBytes == 0 ? 1 : (contentBytes - 1) / UInt64(chunkBytes) + 1
        return UInt64(headerBytes) + contentBytes + chunks * UInt64(chunkOverheadBytes)
    }
}
