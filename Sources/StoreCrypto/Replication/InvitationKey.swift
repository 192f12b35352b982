import CSodium

/// What an invitation's code opens: the request of the device that wants to join, and the welcome that answers it.
///
/// A code is one as `RecoveryCode.generate` makes it: its 130 random bits are hard to guess without a slow derivation.
/// Its plain form, 32 bytes, is the key of `crypto_kdf` with the context `gs-invit`, which gives the id (number 1) and
/// the key (number 2). proto-docs/REPLICATION.md has the layout of what is sealed.
package struct InvitationKey: ~Copyable, Sendable {
    package static let idBytes = 16
    /// What a request or a welcome holds at most.
    package static let plaintextBytesMax = EnvelopeFormat.envelopeBytesMax - overheadBytes

    private enum Subkey: UInt64 {
        case id = 1
        case key = 2
    }

    /// The numbers are part of the format.
    enum Kind: UInt8 {
        /// Of the device that wants to join.
        case request = 1
        /// Of the device that invites.
        case welcome = 2
    }

    private static let magic = Array("GSRJ".utf8)
    private static let version: UInt8 = 2
    private static let headBytes = 4 + 1 + 1 + idBytes
    private static let overheadBytes = headBytes + AuthenticatedCipher.nonceBytes + AuthenticatedCipher.tagBytes

    /// Public: names the subject where both meet. Tells nothing of the code.
    package let id: [UInt8]
    private let key: SecretBytes

    /// - Parameter code: as printed, or as a person typed it.
    /// - Throws: `.recoveryCodeMistyped`, `.memoryUnavailable`.
    package init(code: borrowing SecretBytes) throws(CryptoError) {
        let plain = try RecoveryCode.parse(code, noun: "invitation code")
        let id = try SubkeyDerivation.subkey(
            Subkey.id.rawValue, of: plain, context: .invitation, count: Self.idBytes)
        let key = try SubkeyDerivation.subkey(
            Subkey.key.rawValue, of: plain, context: .invitation, count: AuthenticatedCipher.keyBytes)
        self.id = id.withUnsafeBytes { Array($0) }
        self.key = key
    }

    /// - Parameter plaintext: who wants to join; public keys only. `RequestProof` signs it.
    /// - Throws: `.envelopeTooLarge`.
    package borrowing func sealRequest(_ plaintext: [UInt8]) throws(CryptoError) -> [UInt8] {
        try Self.checkFits(.request, plaintext.count)
        return plaintext.withUnsafeBytes { seal(.request, $0, nonce: Self.randomNonce()) }
    }

    /// - Throws: `.invitationNotOpened` for what is not a request under this invitation, as it was sealed;
    ///   `.invitationVersionUnknown`.
    package borrowing func openRequest(_ sealed: [UInt8]) throws(CryptoError) -> [UInt8] {
        var plaintext = [UInt8](repeating: 0, count: try Self.plaintextBytes(of: sealed))
        let isOpened = plaintext.withUnsafeMutableBytes { open(.request, sealed, into: $0) }
        guard isOpened else { throw Self.notOpened(.request) }
        return plaintext
    }

    /// - Parameter plaintext: the group with the keys of its epochs.
    /// - Throws: `.envelopeTooLarge`.
    package borrowing func sealWelcome(_ plaintext: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        try Self.checkFits(.welcome, plaintext.count)
        return plaintext.withUnsafeBytes { seal(.welcome, $0, nonce: Self.randomNonce()) }
    }

    /// - Throws: `.invitationNotOpened` for what is not a welcome under this invitation, as it was sealed;
    ///   `.invitationVersionUnknown`, `.memoryUnavailable`.
    package borrowing func openWelcome(_ sealed: [UInt8]) throws(CryptoError) -> SecretBytes {
        var plaintext = try SecretBytes(count: Self.plaintextBytes(of: sealed))
        let isOpened = plaintext.withUnsafeMutableBytes { open(.welcome, sealed, into: $0) }
        guard isOpened else { throw Self.notOpened(.welcome) }
        return plaintext
    }

    /// Head, nonce, ciphertext and tag, with the head as associated data.
    borrowing func seal(_ kind: Kind, _ plaintext: UnsafeRawBufferPointer, nonce: [UInt8]) -> [UInt8] {
        let head = head(kind)
        return head + nonce + AuthenticatedCipher.seal(plaintext, binding: head, nonce: nonce, under: key)
    }

    private borrowing func open(
        _ kind: Kind, _ sealed: [UInt8], into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let head = head(kind)
        guard sealed.starts(with: head) else { return false }
        let nonce = Array(sealed.dropFirst(Self.headBytes).prefix(AuthenticatedCipher.nonceBytes))
        let content = Array(sealed.dropFirst(Self.headBytes + AuthenticatedCipher.nonceBytes))
        return AuthenticatedCipher.open(content, binding: head, nonce: nonce, under: key, into: output)
    }

    /// Magic, version, kind, id: 22 bytes.
    private borrowing func head(_ kind: Kind) -> [UInt8] {
        Self.magic + [Self.version, kind.rawValue] + id
    }

    private static func checkFits(_ kind: Kind, _ count: Int) throws(CryptoError) {
        guard count <= plaintextBytesMax else {
            throw CryptoError(.envelopeTooLarge, "a \(kind) has at most \(plaintextBytesMax) bytes, not \(count)")
        }
    }

    /// Bytes of the plaintext, by the count alone; nothing of it was opened yet.
    private static func plaintextBytes(of sealed: [UInt8]) throws(CryptoError) -> Int {
        guard sealed.starts(with: magic), let version = sealed.dropFirst(magic.count).first else {
            throw CryptoError(.invitationNotOpened, "not a message of an invitation: the first bytes are wrong")
        }
        guard version == Self.version else {
            throw CryptoError(
                .invitationVersionUnknown,
                "the other device has a newer version of ghoststore; install that version here too")
        }
        guard overheadBytes...EnvelopeFormat.envelopeBytesMax ~= sealed.count else {
            throw CryptoError(.invitationNotOpened, "not a message of an invitation: the length is wrong")
        }
        return sealed.count - overheadBytes
    }

    private static func notOpened(_ kind: Kind) -> CryptoError {
        CryptoError(.invitationNotOpened, "not a \(kind) of this invitation, or damaged")
    }

    /// 24 bytes are enough for random ones.
    private static func randomNonce() -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: AuthenticatedCipher.nonceBytes)
        randombytes_buf(&nonce, nonce.count)
        return nonce
    }
}
