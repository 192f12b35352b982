import CSodium
package import Interchange

/// Seals a stream of any length for a passphrase or for recipients. The output is `header` followed by the bytes from
/// `append` and `finish`. proto-docs/BLOBS.md has the format.
///
/// A reader detects every change, including chunks that were cut off, left out, moved or added
/// (https://doc.libsodium.org/secret-key_cryptography/secretstream).
package struct SealedStreamWriter: ~Copyable, Sendable {
    package let header: [UInt8]
    private var stream: SecretStreamState
    /// Content that is not sealed yet: at most one chunk between calls.
    private var pending: [UInt8] = []

    /// - Throws: `.secretInvalid` unless the secret is a passphrase; `.memoryUnavailable`; `.costOutOfRange` for a cost
    ///   that no reader would accept.
    package init(
        passphrase: borrowing SlotSecret, cost: KeyDerivationCost, _ format: SealedFileFormat = .messages
    ) throws(CryptoError) {
        guard passphrase.kind == .passphrase else {
            throw CryptoError(
                .secretInvalid, "a \(format.noun) can be sealed only with a passphrase or for public keys")
        }
        guard cost.memoryBytes <= SealedFileLimits.memoryBytesMax, cost.passes <= SealedFileLimits.passesMax else {
            throw CryptoError(
                .costOutOfRange,
                "the cost of key derivation is too high for a sealed file: at most 64 MiB and 8 passes are allowed")
        }
        try SodiumRuntime.start()
        var salt = [UInt8](repeating: 0, count: SealedFileHeader.saltBytes)
        randombytes_buf(&salt, salt.count)
        let key = try SealedFileKey.forPassphrase(passphrase.bytes, salt: salt, cost: cost)
        try self.init(.passphrase(memoryBytes: cost.memoryBytes, passes: cost.passes, salt: salt), key, format)
    }

    /// - Parameter recipientPublicKey: the public half of the recipient's X25519 key pair, 32 bytes.
    /// - Throws: `.recipientKeyInvalid`, `.memoryUnavailable`.
    package init(recipientPublicKey publicKey: [UInt8]) throws(CryptoError) {
        try self.init(recipientPublicKeys: [publicKey], .messages)
    }

    /// Creates a stream for several recipients. The secret half of any of the keys opens it.
    ///
    /// - Throws: `.recipientKeyInvalid`, also for an empty list and for more keys than the format allows.
    package init(recipientPublicKeys publicKeys: [[UInt8]], _ format: SealedFileFormat) throws(CryptoError) {
        guard 1...format.recipientsMax ~= publicKeys.count else {
            throw CryptoError(
                .recipientKeyInvalid, "a \(format.noun) can be sealed for 1 to \(format.recipientsMax) recipients")
        }
        try SodiumRuntime.start()
        let key = SealedFileKey(bytes: try SecretBytes.random(count: SealedFileKey.keyBytes))
        var recipients: [SealedFileHeader.Recipient] = []
        for publicKey in publicKeys {
            guard publicKey.count == SealedFileHeader.publicKeyBytes else {
                throw CryptoError(
                    .recipientKeyInvalid, "a recipient's public key has \(publicKey.count) bytes; it must have 32")
            }
            recipients.append(
                SealedFileHeader.Recipient(publicKey: publicKey, sealedKey: try key.sealed(to: publicKey)))
        }
        try self.init(.recipients(recipients), key, format)
    }

    private init(
        _ seal: SealedFileHeader.Seal, _ key: borrowing SealedFileKey, _ format: SealedFileFormat
    ) throws(CryptoError) {
        var streamHeader = [UInt8](repeating: 0, count: SealedFileHeader.streamHeaderBytes)
        let stream = try SecretStreamState(writingUnder: try key.streamKey(), header: &streamHeader)
        let unset = [UInt8](repeating: 0, count: SealedFileHeader.authenticatorBytes)
        let draft = SealedFileHeader(seal: seal, streamHeader: streamHeader, authenticator: unset, format: format)
        let authenticator = try key.authenticator(of: draft.authenticatedBytes)
        header =
            SealedFileHeader(
                seal: seal, streamHeader: streamHeader, authenticator: authenticator, format: format
            ).bytes
        self.stream = consume stream
    }

    /// Adds content, and appends the chunks that are complete to `output`.
    package mutating func append(_ content: [UInt8], to output: inout [UInt8]) {
        pending += content
        var start = 0
        // Keep a full chunk until more content follows, because the last chunk must have the final tag.
        while pending.count - start > SealedFileLimits.chunkBytes {
            let end = start + SealedFileLimits.chunkBytes
            stream.push(pending[start..<end], tag: .message, to: &output)
            start = end
        }
        pending.removeSubrange(..<start)
    }

    /// Ends the stream: appends the last chunk to `output`.
    package consuming func finish(_ output: inout [UInt8]) {
        stream.push(pending[...], tag: .final, to: &output)
    }
}
