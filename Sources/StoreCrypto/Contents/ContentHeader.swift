import StoreBasics

/// What stands before the chunks in the host file of a content. The database has it all too: a reader compares, and
/// believes nothing that it reads.
package struct ContentHeader: Hashable, Sendable {
    package static let byteCount = 64
    private static let magic = Array("gs-vault".utf8)
    private static let version: UInt8 = 1

    package var id: ContentID
    package var cipher: ChunkCipher
    /// Plaintext bytes of every chunk but the last.
    package var chunkBytes: UInt32

    package init(id: ContentID, cipher: ChunkCipher, chunkBytes: UInt32) {
        self.id = id
        self.cipher = cipher
        self.chunkBytes = chunkBytes
    }

    /// `byteCount` bytes: what the content is, and an authenticator under its key.
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

    /// Whether a file begins as this content's does.
    package func isEncoded(in bytes: [UInt8], under key: borrowing ContentKey) throws(CryptoError) -> Bool {
        ConstantTime.areEqual(try encoded(under: key), bytes)
    }
}
