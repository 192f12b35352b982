/// Seals, signs, verifies and opens the messages of a group's log. A message is a header that anybody can read, a
/// nonce, a ciphertext that only members open, and the signature of the device that the header names.
/// proto-docs/REPLICATION.md has the layout.
///
/// The cipher is XChaCha20-Poly1305 under a subkey of the epoch's key, with the header as associated data. The nonce is
/// a keyed hash of header and plaintext (BLAKE2b with 24 bytes of output under another subkey). So a store that was put
/// back from a copy of its files and seals another plaintext in the same place uses another nonce, and no keystream is
/// used twice (a synthetic initialization vector, as in RFC 5297).
package enum Envelope<Header: EnvelopeHeader> {
    /// Of an envelope, header and signature included.
    package static var byteCountMax: Int { EnvelopeFormat.envelopeBytesMax }

    /// What an envelope holds at most.
    package static var plaintextBytesMax: Int { EnvelopeFormat.envelopeBytesMax - Header.format.overheadBytes }

    /// - Parameters:
    ///   - epochKey: the one that `header.epoch` names.
    ///   - deviceKeys: those of the device that the header names.
    /// - Returns: the same for the same.
    /// - Throws: `.envelopeTooLarge`, `.memoryUnavailable`.
    package static func seal(
        _ header: Header, _ plaintext: [UInt8], epochKey: borrowing EpochKey,
        deviceKeys: borrowing ReplicaDeviceKeys
    ) throws(CryptoError) -> [UInt8] {
        guard plaintext.count <= plaintextBytesMax else {
            throw CryptoError(
                .envelopeTooLarge,
                "a \(Header.format.noun) has at most \(plaintextBytesMax) bytes, not \(plaintext.count)")
        }
        var envelope = header.encoded
        envelope.reserveCapacity(plaintext.count + Header.format.overheadBytes)
        let nonce = try nonce(of: header, plaintext, epochKey)
        let key = try epochKey.subkey(Header.format.sealing)
        envelope += nonce
        envelope += plaintext.withUnsafeBytes { plaintext in
            AuthenticatedCipher.seal(plaintext, binding: header.encoded, nonce: nonce, under: key)
        }
        envelope += deviceKeys.sign(envelope, as: Header.format.domain)
        return envelope
    }

    /// Checks the signature, for which no key of an epoch is needed.
    ///
    /// - Parameter signingKey: of the device that the header names, 32 bytes.
    /// - Returns: the header, which is authentic now.
    /// - Throws: the format's codes for what is malformed, of a newer version, or forged, such as `.batchMalformed`,
    ///   `.batchVersionUnknown` and `.batchForged`, in this order.
    @discardableResult
    package static func verify(_ envelope: [UInt8], signingKey: [UInt8]) throws(CryptoError) -> Header {
        let header = try Header(parsing: envelope)
        let signed = Array(envelope.dropLast(EnvelopeFormat.signatureBytes))
        let signature = Array(envelope.suffix(EnvelopeFormat.signatureBytes))
        guard try Header.format.domain.isSignature(signature, of: signed, by: signingKey) else {
            throw Header.format.forged
        }
        return header
    }

    /// Checks the signature, then opens.
    ///
    /// - Parameters:
    ///   - signingKey: of the device that the header names, 32 bytes.
    ///   - epochKey: the one that the header's epoch names.
    /// - Returns: the plaintext.
    /// - Throws: what `verify` throws, the format's code for what does not open, such as `.batchNotOpened`, and
    ///   `.memoryUnavailable`.
    package static func open(
        _ envelope: [UInt8], signingKey: [UInt8], epochKey: borrowing EpochKey
    ) throws(CryptoError) -> [UInt8] {
        let header = try verify(envelope, signingKey: signingKey)
        let body = envelope.dropFirst(Header.byteCount).dropLast(EnvelopeFormat.signatureBytes)
        let nonce = Array(body.prefix(AuthenticatedCipher.nonceBytes))
        let sealed = Array(body.dropFirst(AuthenticatedCipher.nonceBytes))
        let key = try epochKey.subkey(Header.format.sealing)
        var plaintext = [UInt8](repeating: 0, count: envelope.count - Header.format.overheadBytes)
        let isOpened = plaintext.withUnsafeMutableBytes { output in
            AuthenticatedCipher.open(sealed, binding: header.encoded, nonce: nonce, under: key, into: output)
        }
        guard isOpened, ConstantTime.areEqual(nonce, try self.nonce(of: header, plaintext, epochKey)) else {
            throw Header.format.notOpened
        }
        return plaintext
    }

    /// What the next envelope names: BLAKE2b of all of it, signature included, 32 bytes.
    package static func hash(of envelope: [UInt8]) -> [UInt8] {
        Blake2b.digest(of: envelope)
    }

    /// Returns the 24 bytes that belong to this header and this plaintext alone.
    static func nonce(
        of header: Header, _ plaintext: [UInt8], _ epochKey: borrowing EpochKey
    ) throws(CryptoError) -> [UInt8] {
        Blake2b.authenticator(
            of: header.encoded + plaintext, key: try epochKey.subkey(Header.format.nonces),
            count: AuthenticatedCipher.nonceBytes)
    }
}

/// What a device tells the others: one after the other, each with the hash of the one before.
package typealias BatchEnvelope = Envelope<BatchHeader>

/// A piece of a snapshot: one after the other, each with the hash of the one before.
package typealias SnapshotEnvelope = Envelope<SnapshotChunkHeader>
