/// What a sealed file begins with (proto-docs/BLOBS.md has the offset table). All numbers are big-endian:
///
///     magic (16), u32 version, u8 kind
///     kind 1, passphrase: u64 memory bytes, u32 passes, salt (16)
///     kind 2, recipient: X25519 public key (32), sealed file key (80)
///     secretstream header (24), authenticator (32)
///
/// Nothing here says that a header is genuine: that takes the key (StoreCrypto).
package struct SealedFileHeader: Hashable, Sendable {
    /// What opens the file.
    package enum Seal: Hashable, Sendable {
        /// A passphrase by Argon2id.
        case passphrase(memoryBytes: UInt64, passes: UInt32, salt: [UInt8])
        /// The secret half of an X25519 key pair.
        case recipient(publicKey: [UInt8], sealedKey: [UInt8])
    }

    package static let magic = Array("ghoststore-blob\n".utf8)
    package static let version: UInt32 = 1
    package static let saltBytes = 16
    package static let publicKeyBytes = 32
    package static let sealedKeyBytes = 80
    package static let streamHeaderBytes = 24
    package static let authenticatorBytes = 32
    /// Bytes of the longest header.
    package static let bytesMax = headBytes + publicKeyBytes + sealedKeyBytes + tailBytes

    static let headBytes = 16 + 4 + 1
    static let tailBytes = streamHeaderBytes + authenticatorBytes

    package let seal: Seal
    package let streamHeader: [UInt8]
    package let authenticator: [UInt8]

    package init(seal: Seal, streamHeader: [UInt8], authenticator: [UInt8]) {
        precondition(streamHeader.count == Self.streamHeaderBytes, "a secretstream header has 24 bytes")
        precondition(authenticator.count == Self.authenticatorBytes, "an authenticator has 32 bytes")
        self.seal = seal
        self.streamHeader = streamHeader
        self.authenticator = authenticator
    }

    /// Everything but the authenticator: what it authenticates.
    package var authenticatedBytes: [UInt8] {
        Self.authenticatedBytes(seal, streamHeader)
    }

    package var bytes: [UInt8] {
        authenticatedBytes + authenticator
    }

    /// Whether a file that begins with these bytes is a sealed one: a message blob never begins so, since it would
    /// count 1.9 thousand million messages.
    package static func isSealed(_ prefix: some Collection<UInt8>) -> Bool {
        prefix.count >= magic.count && prefix.starts(with: magic)
    }

    private static func authenticatedBytes(_ seal: Seal, _ streamHeader: [UInt8]) -> [UInt8] {
        var bytes = magic
        append(version, to: &bytes)
        switch seal {
        case .passphrase(let memoryBytes, let passes, let salt):
            precondition(salt.count == saltBytes, "an Argon2id salt has 16 bytes")
            bytes.append(Kind.passphrase.rawValue)
            append(memoryBytes, to: &bytes)
            append(passes, to: &bytes)
            bytes += salt
        case .recipient(let publicKey, let sealedKey):
            precondition(publicKey.count == publicKeyBytes && sealedKey.count == sealedKeyBytes)
            bytes.append(Kind.recipient.rawValue)
            bytes += publicKey
            bytes += sealedKey
        }
        return bytes + streamHeader
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
