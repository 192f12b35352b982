/// The kind of content of a sealed file, which determines its magic.
package enum SealedFileFormat: Hashable, Sendable, CaseIterable {
    /// A message blob.
    case messages
    /// An archive of a whole store.
    case archive

    package var magic: [UInt8] {
        switch self {
        case .messages: Array("ghoststore-blob\n".utf8)
        case .archive: Array("ghoststore-arch\n".utf8)
        }
    }

    /// The name of the content in messages for people.
    package var noun: String {
        switch self {
        case .messages: "blob"
        case .archive: "archive"
        }
    }

    /// The most recipients of one file.
    package var recipientsMax: Int {
        switch self {
        case .messages: 1
        case .archive: 16
        }
    }
}

/// The header of a sealed file (proto-docs/BLOBS.md has the offset table, proto-docs/ARCHIVE.md the additions for
/// archives). All numbers are big-endian:
///
///     magic (16), u32 version, u8 kind
///     kind 1, passphrase: u64 memory bytes, u32 passes, salt (16)
///     kind 2, recipient: X25519 public key (32), sealed file key (80)
///     kind 3, recipients: u8 count, then for each X25519 public key (32), sealed file key (80)
///     secretstream header (24), authenticator (32)
///
/// This type does not check that a header is authentic, because that requires the key (StoreCrypto).
package struct SealedFileHeader: Hashable, Sendable {
    /// The way in which the file's key is protected.
    package enum Seal: Hashable, Sendable {
        /// The key is derived from a passphrase with Argon2id.
        case passphrase(memoryBytes: UInt64, passes: UInt32, salt: [UInt8])
        /// The key is sealed for X25519 public keys: 1 to `SealedFileFormat.recipientsMax`. The private key of any of
        /// them opens the file.
        case recipients([Recipient])
    }

    package struct Recipient: Hashable, Sendable {
        package let publicKey: [UInt8]
        package let sealedKey: [UInt8]

        package init(publicKey: [UInt8], sealedKey: [UInt8]) {
            self.publicKey = publicKey
            self.sealedKey = sealedKey
        }
    }

    package static let version: UInt32 = 1
    package static let saltBytes = 16
    package static let publicKeyBytes = 32
    package static let sealedKeyBytes = 80
    package static let streamHeaderBytes = 24
    package static let authenticatorBytes = 32
    /// The size of the longest header.
    package static let bytesMax =
        headBytes + 1 + SealedFileFormat.archive.recipientsMax * recipientBytes + tailBytes

    static let magicBytes = 16
    static let headBytes = magicBytes + 4 + 1
    static let recipientBytes = publicKeyBytes + sealedKeyBytes
    static let tailBytes = streamHeaderBytes + authenticatorBytes

    package let format: SealedFileFormat
    package let seal: Seal
    package let streamHeader: [UInt8]
    package let authenticator: [UInt8]

    package init(
        seal: Seal, streamHeader: [UInt8], authenticator: [UInt8], format: SealedFileFormat = .messages
    ) {
        precondition(streamHeader.count == Self.streamHeaderBytes, "a secretstream header must have 24 bytes")
        precondition(authenticator.count == Self.authenticatorBytes, "an authenticator must have 32 bytes")
        self.format = format
        self.seal = seal
        self.streamHeader = streamHeader
        self.authenticator = authenticator
    }

    /// The header without the authenticator, which authenticates these bytes.
    package var authenticatedBytes: [UInt8] {
        Self.authenticatedBytes(format, seal, streamHeader)
    }

    package var bytes: [UInt8] {
        authenticatedBytes + authenticator
    }

    /// Returns true if a file that begins with these bytes is sealed. A message blob never begins like this, because
    /// its message count would be 1.9 billion.
    package static func isSealed(
        _ prefix: some Collection<UInt8>, _ format: SealedFileFormat = .messages
    ) -> Bool {
        prefix.count >= magicBytes && prefix.starts(with: format.magic)
    }

    private static func authenticatedBytes(
        _ format: SealedFileFormat, _ seal: Seal, _ streamHeader: [UInt8]
    ) -> [UInt8] {
        var bytes = format.magic
        append(version, to: &bytes)
        switch seal {
        case .passphrase(let memoryBytes, let passes, let salt):
            precondition(salt.count == saltBytes, "an Argon2id salt must have 16 bytes")
            bytes.append(Kind.passphrase.rawValue)
            append(memoryBytes, to: &bytes)
            append(passes, to: &bytes)
            bytes += salt
        case .recipients(let recipients):
            precondition(1...format.recipientsMax ~= recipients.count, "the number of recipients is out of range")
            if recipients.count == 1 {
                bytes.append(Kind.recipient.rawValue)
            } else {
                bytes += [Kind.recipients.rawValue, UInt8(recipients.count)]
            }
            for recipient in recipients {
                precondition(recipient.publicKey.count == publicKeyBytes)
                precondition(recipient.sealedKey.count == sealedKeyBytes)
                bytes += recipient.publicKey + recipient.sealedKey
            }
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
        case recipients = 3
    }

    /// Returns the size of the header of a file that begins with `prefix`; `nil` if the prefix is too short to decide.
    ///
    /// - Throws: an error as soon as a byte is invalid.
    package static func byteCount(
        beginning prefix: [UInt8], _ format: SealedFileFormat = .messages
    ) throws(InterchangeError) -> Int? {
        if let index = zip(prefix, format.magic).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            throw format.invalid("the first bytes are not the bytes of a sealed file", atOffset: index)
        }
        guard prefix.count >= headBytes else { return nil }
        let version: UInt32 = number(prefix, at: magicBytes)
        guard version == Self.version else {
            throw format.invalid(
                """
                the version is \(version), but only version \(Self.version) is supported
                """, atOffset: magicBytes)
        }
        guard let sealBytes = try sealBytes(prefix, format) else { return nil }
        return headBytes + sealBytes + tailBytes
    }

    private static func sealBytes(
        _ prefix: [UInt8], _ format: SealedFileFormat
    ) throws(InterchangeError) -> Int? {
        let kind = prefix[headBytes - 1]
        switch Kind(rawValue: kind) {
        case .passphrase: return 8 + 4 + saltBytes
        case .recipient: return recipientBytes
        case .recipients where format.recipientsMax > 1:
            guard prefix.count > headBytes else { return nil }
            let count = Int(prefix[headBytes])
            guard 2...format.recipientsMax ~= count else {
                throw format.invalid(
                    "the number of recipients is \(count); for this kind of seal it is 2 to \(format.recipientsMax)",
                    atOffset: headBytes)
            }
            return 1 + count * recipientBytes
        case .recipients, nil:
            throw format.invalid("the kind of seal, \(kind), is unknown", atOffset: headBytes - 1)
        }
    }

    /// Parses the header at the beginning of `file`.
    ///
    /// - Throws: an error if `file` ends inside the header.
    package init(parsing file: [UInt8], _ format: SealedFileFormat = .messages) throws(InterchangeError) {
        guard let byteCount = try Self.byteCount(beginning: file, format), file.count >= byteCount else {
            throw format.invalid("the file ends inside the header", atOffset: file.count)
        }
        self.format = format
        let tail = byteCount - Self.tailBytes
        switch Kind(rawValue: file[Self.headBytes - 1]) {
        case .recipient:
            seal = .recipients([Self.recipient(file, at: Self.headBytes)])
        case .recipients:
            seal = .recipients(
                stride(from: Self.headBytes + 1, to: tail, by: Self.recipientBytes).map { Self.recipient(file, at: $0) }
            )
        case .passphrase, nil:
            let passes = Self.headBytes + 8
            seal = .passphrase(
                memoryBytes: Self.number(file, at: Self.headBytes), passes: Self.number(file, at: passes),
                salt: Array(file[(passes + 4)..<tail]))
        }
        streamHeader = Array(file[tail..<(tail + Self.streamHeaderBytes)])
        authenticator = Array(file[(tail + Self.streamHeaderBytes)..<byteCount])
    }

    private static func recipient(_ bytes: [UInt8], at index: Int) -> Recipient {
        let sealedKey = index + publicKeyBytes
        return Recipient(
            publicKey: Array(bytes[index..<sealedKey]), sealedKey: Array(bytes[sealedKey..<(index + recipientBytes)]))
    }

    private static func number<Number: FixedWidthInteger>(_ bytes: [UInt8], at index: Int) -> Number {
        bytes.withUnsafeBytes { Number(bigEndian: $0.loadUnaligned(fromByteOffset: index, as: Number.self)) }
    }
}

extension SealedFileFormat {
    fileprivate func invalid(_ cause: String, atOffset offset: Int) -> InterchangeError {
        InterchangeError(offset: UInt64(offset), "not a sealed \(noun): \(cause)")
    }
}
