/// Seals, signs, checks and opens the messages of a group's log: a header, which others read, what only the group
/// reads, and the signature of the device that it is of. proto-docs/REPLICATION.md has the layout.
///
/// The plaintext is under XChaCha20-Poly1305 with a subkey of the epoch's key, the whole header as associated data, and
/// a nonce that is a keyed hash of the header's place (BLAKE2b with 24 bytes of output under another subkey). So a
/// place is sealed once: what was sealed is kept until the log has it, and never sealed again with other content.
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
                "a \(Header.format.noun) holds \(plaintextBytesMax) bytes at most, not \(plaintext.count)")
        }
        var envelope = header.encoded
        envelope.reserveCapacity(plaintext.count + Header.format.overheadBytes)
        let nonce = try nonce(of: header, epochKey)
        let key = try epochKey.subkey(Header.format.sealing)
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
        let sealed = Array(envelope.dropFirst(Header.byteCount).dropLast(EnvelopeFormat.signatureBytes))
        let nonce = try nonce(of: header, epochKey)
        let key = try epochKey.subkey(Header.format.sealing)
        var plaintext = [UInt8](repeating: 0, count: envelope.count - Header.format.overheadBytes)
        let isOpened = plaintext.withUnsafeMutableBytes { output in
            AuthenticatedCipher.open(sealed, binding: header.encoded, nonce: nonce, under: key, into: output)
        }
        guard isOpened else { throw Header.format.notOpened }
        return plaintext
    }

    /// What the next envelope names: BLAKE2b of all of it, signature included, 32 bytes.
    package static func hash(of envelope: [UInt8]) -> [UInt8] {
        Blake2b.digest(of: envelope)
    }

    /// 24 bytes.
    static func nonce(of header: Header, _ epochKey: borrowing EpochKey) throws(CryptoError) -> [UInt8] {
        Blake2b.authenticator(
            of: header.place, key: try epochKey.subkey(Header.format.nonces), count: AuthenticatedCipher.nonceBytes)
    }
}

/// What a device tells the others: one after the other, each with the hash of the one before.
package typealias BatchEnvelope = Envelope<BatchHeader>

/// A piece of a snapshot: one after the other, each with the hash of the one before.
package typealias SnapshotEnvelope = Envelope<SnapshotChunkHeader>
