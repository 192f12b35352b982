/// The sealed form of the messages in a group's stream, with the functions that seal, verify and open it. An envelope
/// consists of a header that everybody can read, a nonce, a ciphertext that only members can open, and the signature of
/// the device whose number is in the header. proto-docs/REPLICATION.md has the layout.
///
/// The cipher is XChaCha20-Poly1305 under a subkey of the epoch's key, with the header as associated data. The nonce is
/// a keyed hash of header and plaintext (BLAKE2b with 24 bytes of output under another subkey). A store that was
/// restored from a copy of its files may seal a second plaintext under a header that it has used before. The second
/// plaintext then gets another nonce, so that no keystream is used twice (a synthetic initialization vector, as in RFC
/// 5297).
package enum Envelope<Header: EnvelopeHeader> {
    /// The most bytes of an envelope, including header and signature.
    package static var byteCountMax: Int { EnvelopeFormat.envelopeBytesMax }

    /// The most bytes of plaintext in an envelope.
    package static var plaintextBytesMax: Int { EnvelopeFormat.envelopeBytesMax - Header.format.overheadBytes }

    /// Seals and signs an envelope. Equal arguments give equal envelopes.
    ///
    /// - Parameters:
    ///   - epochKey: the key of the epoch whose id is in the header.
    ///   - deviceKeys: the keys of the device whose number is in the header.
    /// - Throws: `.envelopeTooLarge`, `.memoryUnavailable`.
    package static func seal(
        _ header: Header, _ plaintext: [UInt8], epochKey: borrowing EpochKey,
        deviceKeys: borrowing ReplicaDeviceKeys
    ) throws(CryptoError) -> [UInt8] {
        guard plaintext.count <= plaintextBytesMax else {
            throw CryptoError(
                .envelopeTooLarge,
                "a \(Header.format.noun) has \(plaintext.count) bytes; the limit is \(plaintextBytesMax)")
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

    /// Checks the signature, which requires no epoch key.
    ///
    /// - Parameter signingKey: the key of the device whose number is in the header, 32 bytes.
    /// - Returns: the authenticated header.
    /// - Throws: the format's codes for a malformed envelope, a newer version and a forgery, such as `.batchMalformed`,
    ///   `.batchVersionUnknown` and `.batchForged`, checked in this order.
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

    /// Checks the signature and decrypts the envelope.
    ///
    /// - Parameters:
    ///   - signingKey: the key of the device whose number is in the header, 32 bytes.
    ///   - epochKey: the key of the epoch whose id is in the header.
    /// - Returns: the plaintext.
    /// - Throws: the errors of `verify`; the format's code for an envelope that cannot be opened, such as
    ///   `.batchNotOpened`; `.memoryUnavailable`.
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

    /// Returns the hash that the next envelope contains: BLAKE2b of the whole envelope with its signature, 32 bytes.
    package static func hash(of envelope: [UInt8]) -> [UInt8] {
        Blake2b.digest(of: envelope)
    }

    /// Returns the 24-byte nonce that depends on the header and the plaintext.
    static func nonce(
        of header: Header, _ plaintext: [UInt8], _ epochKey: borrowing EpochKey
    ) throws(CryptoError) -> [UInt8] {
        Blake2b.authenticator(
            of: header.encoded + plaintext, key: try epochKey.subkey(Header.format.nonces),
            count: AuthenticatedCipher.nonceBytes)
    }
}

/// A batch of a device's changes. Each batch contains the hash of the device's previous batch.
package typealias BatchEnvelope = Envelope<BatchHeader>

/// A chunk of a snapshot. Each chunk contains the hash of the previous chunk.
package typealias SnapshotEnvelope = Envelope<SnapshotChunkHeader>
