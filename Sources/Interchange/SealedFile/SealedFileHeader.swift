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

extension SealedFileHeader {
    enum Kind: UInt8 {
        case passphrase = 1
        case recipient = 2

        var sealBytes: Int {
            switch self {
            case .passphrase: 8 + 4 + saltBytes
            case .recipient: publicKeyBytes + sealedKeyBytes
            }
        }
    }

    /// Bytes of the header that a file beginning with `prefix` has; `nil` when the prefix is too short to tell.
    ///
    /// - Throws: as soon as a byte cannot be right.
    package static func byteCount(beginning prefix: [UInt8]) throws(InterchangeError) -> Int? {
        if let index = zip(prefix, magic).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            throw Self.invalid("its magic differs", atOffset: index)
        }
        guard prefix.count >= headBytes else { return nil }
        let version: UInt32 = number(prefix, at: magic.count)
        guard version == Self.version else {
            throw Self.invalid("its version is \(version), known is \(Self.version)", atOffset: magic.count)
        }
        guard let kind = Kind(rawValue: prefix[headBytes - 1]) else {
            throw Self.invalid("it is sealed for the unknown kind \(prefix[headBytes - 1])", atOffset: headBytes - 1)
        }
        return headBytes + kind.sealBytes + tailBytes
    }

    /// The header at the front of `file`.
    ///
    /// - Throws: `.truncated` when `file` ends inside it.
    package init(parsing file: [UInt8]) throws(InterchangeError) {
        guard let byteCount = try Self.byteCount(beginning: file), file.count >= byteCount else {
            throw Self.invalid("it ends inside its header", atOffset: file.count)
        }
        let tail = byteCount - Self.tailBytes
        switch Kind(rawValue: file[Self.headBytes - 1]) {
        case .recipient:
            let sealedKey = Self.headBytes + Self.publicKeyBytes
            seal = .recipient(
                publicKey: Array(file[Self.headBytes..<sealedKey]), sealedKey: Array(file[sealedKey..<tail]))
        case .passphrase, nil:
            let passes = Self.headBytes + 8
            seal = .passphrase(
                memoryBytes: Self.number(file, at: Self.headBytes), passes: Self.number(file, at: passes),
                salt: Array(file[(passes + 4)..<tail]))
        }
        streamHeader = Array(file[tail..<(tail + Self.streamHeaderBytes)])
        authenticator = Array(file[(tail + Self.streamHeaderBytes)..<byteCount])
    }

    private static func number<Number: FixedWidthInteger>(_ bytes: [UInt8], at index: Int) -> Number {
        bytes.withUnsafeBytes { Number(bigEndian: $0.loadUnaligned(fromByteOffset: index, as: Number.self)) }
    }

    private static func invalid(_ cause: String, atOffset offset: Int) -> InterchangeError {
        InterchangeError(offset: UInt64(offset), "not a sealed blob: \(cause)")
    }
}
