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

    /// Bytes of the header that a file beginning with `prefix` has; nil when the prefix is too short to tell.
    ///
    /// - Throws: as soon as a byte cannot be right.
    package static func byteCount(beginning prefix: [UInt8]) throws(InterchangeError) -> Int? {
        if let index = zip(prefix, magic).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            throw Self.invalid("its magic differs", atOffset: index)
        }
        guard prefix.count >= headBytes else {
            return nil
        }
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
