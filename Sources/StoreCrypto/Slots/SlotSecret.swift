/// What opens a slot: a secret of the form its kind takes.
package struct SlotSecret: ~Copyable, Sendable {
    package let kind: SlotKind
    /// A recovery code is in its plain form here: 32 upper-case characters, no hyphens.
    package let bytes: SecretBytes

    package static let passphraseBytesRange = 1...1_024
    package static let keyFileBytesRange = 32...4_096

    /// Takes a passphrase of 1 to 1,024 bytes of UTF-8, a recovery code as printed or as typed from paper, or a key
    /// file or credential of 32 to 4,096 bytes.
    ///
    /// A passphrase is taken byte for byte: no trimming, no Unicode normalisation.
    ///
    /// - Throws: `.secretInvalid`, `.recoveryCodeMistyped`, `.memoryUnavailable`.
    package init(kind: SlotKind, bytes: consuming SecretBytes) throws(CryptoError) {
        switch kind {
        case .passphrase:
            try Self.checkPassphrase(bytes)
            self.bytes = bytes
        case .recoveryCode:
            self.bytes = try RecoveryCode.parse(bytes)
        case .keyFile, .credential:
            guard Self.keyFileBytesRange.contains(bytes.count) else {
                throw CryptoError(.secretInvalid, "key has \(bytes.count) bytes; use 32 to 4,096")
            }
            self.bytes = bytes
        }
        self.kind = kind
    }

    private static func checkPassphrase(_ bytes: borrowing SecretBytes) throws(CryptoError) {
        guard passphraseBytesRange.contains(bytes.count) else {
            throw CryptoError(.secretInvalid, "passphrase has \(bytes.count) bytes; use 1 to 1,024")
        }
        guard bytes.withUnsafeBytes({ isUTF8($0) }) else {
            throw CryptoError(.secretInvalid, "passphrase is not UTF-8; check the terminal's encoding")
        }
    }

    /// Decodes scalar by scalar, so that no copy of the whole is made.
    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}
