/// What a sealed file begins with (proto-docs/BLOBS.md has the offset table). All numbers are big-endian:
///
///     magic (16), u32 version, u8 kind
///     kind 1, passphrase: u64 memory bytes, u32 passes, salt (16)
///     kind 2, recipient: X25519 public key (32), sealed file key (80)
///     secretstream header (24), authenticator (32)
///
/// Nothing here says that a header is genuine: that takes the key (StoreCrypto).
public struct SealedFileHeader: Hashable, Sendable {
    /// What opens the file.
    public enum Seal: Hashable, Sendable {
        /// A passphrase by Argon2id.
        case passphrase(memoryBytes: UInt64, passes: UInt32, salt: [UInt8])
        /// The secret half of an X25519 key pair.
        case recipient(publicKey: [UInt8], sealedKey: [UInt8])
    }

    public static let magic = Array("ghoststore-blob\n".utf8)
    public static let version: UInt32 = 1
    public static let saltBytes = 16
    public static let publicKeyBytes = 32
    public static let sealedKeyBytes = 80
    public static let streamHeaderBytes = 24
    public static let authenticatorBytes = 32
    /// Bytes of the longest header.
    public static let bytesMax = headBytes + publicKeyBytes + sealedKeyBytes + tailBytes

    static let headBytes = 16 + 4 + 1
    static let tailBytes = streamHeaderBytes + authenticatorBytes

    public let seal: Seal
    public let streamHeader: [UInt8]
    public let authenticator: [UInt8]

    public init(seal: Seal, streamHeader: [UInt8], authenticator: [UInt8]) {
        precondition(streamHeader.count == Self.streamHeaderBytes, "a secretstream header has 24 bytes")
        precondition(authenticator.count == Self.authenticatorBytes, "an authenticator has 32 bytes")
        self.seal = seal
        self.streamHeader = streamHeader
        self.authenticator = authenticator
    }

    /// Everything but the authenticator: what it authenticates.
    public var authenticatedBytes: [UInt8] {
        Self.authenticatedBytes(seal, streamHeader)
    }

    public var bytes: [UInt8] {
        authenticatedBytes + authenticator
    }

    /// Whether a file that begins with these bytes is a sealed one: a message blob never begins so, since it would
    /// count 1.9 thousand million messages.
    public static func isSealed(_ prefix: some Collection<UInt8>) -> Bool {
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
