import StoreBasics

/// The header before the chunks in the file of a content. The database has the same values. Readers only compare the
/// header with them, and use no value from the file.
package struct ContentHeader: Hashable, Sendable {
    package static let byteCount = 64
    private static let magic = Array("gs-vault".utf8)
    private static let version: UInt8 = 1

    package var id: ContentID
    package var cipher: ChunkCipher
    /// The plaintext size of every chunk except the last.
    package var chunkBytes: UInt32

    package init(id: ContentID, cipher: ChunkCipher, chunkBytes: UInt32) {
        self.id = id
        self.cipher = cipher
        self.chunkBytes = chunkBytes
    }

    /// Returns the header's `byteCount` bytes, which end with an authenticator under the content's key.
    package func encoded(under key: borrowing ContentKey) throws(CryptoError) -> [UInt8] {
        var bytes = Self.magic
        bytes.reserveCapacity(Self.byteCount)
        bytes.append(Self.version)
        bytes.append(cipher.rawValue)
        bytes.append(littleEndian: UInt16(0))
        bytes.append(littleEndian: chunkBytes)
        bytes.append(contentsOf: id.bytes)
        bytes.append(contentsOf: try key.headerAuthenticator(of: bytes))
        return bytes
    }

    /// Returns true if the bytes are this content's encoded header.
    package func isEncoded(in bytes: [UInt8], under key: borrowing ContentKey) throws(CryptoError) -> Bool {
        ConstantTime.areEqual(try encoded(under: key), bytes)
    }
}
