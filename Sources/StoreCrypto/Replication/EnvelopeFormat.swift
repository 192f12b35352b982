/// What tells the envelopes of batches from those of chunks of snapshots: their magic, what is signed, subkeys, and
/// what their errors are called. No value of one kind is ever one of another.
package struct EnvelopeFormat: Sendable {
    /// Of every message of the group's log. NATS takes 1 MiB of payload and headers where nothing else is configured
    /// (`max_payload`, https://docs.nats.io/running-a-nats-service/configuration); 64 KiB are for what else there is.
    package static let envelopeBytesMax = (1 << 20) - (64 << 10)
    package static let groupBytes = 16
    package static let hashBytes = Blake2b.digestBytes
    static let magicBytes = 4
    static let version: UInt8 = 3
    static let signatureBytes = SignatureDomain.signatureBytes

    /// For people.
    let noun: String
    /// Four ASCII characters.
    let magic: [UInt8]
    /// Bytes of what is a header's own: where the envelope has its place.
    let placeBytes: Int
    let domain: SignatureDomain
    let sealing: EpochKey.Subkey
    let nonces: EpochKey.Subkey
    let codes: Codes

    struct Codes {
        let malformed, versionUnknown, forged, notOpened: CryptoError.Code
    }

    /// Magic, version, group, place, number and maker of the epoch, hash of the envelope before.
    var headerBytes: Int { Self.magicBytes + 1 + Self.groupBytes + placeBytes + 4 + 8 + Self.hashBytes }

    /// The bytes of an envelope that are not plaintext: header, nonce, tag and signature.
    var overheadBytes: Int {
        headerBytes + AuthenticatedCipher.nonceBytes + AuthenticatedCipher.tagBytes + Self.signatureBytes
    }

    func malformed(_ cause: String) -> CryptoError {
        CryptoError(codes.malformed, "not a \(noun): \(cause)")
    }

    var versionUnknown: CryptoError {
        CryptoError(
            codes.versionUnknown,
            """
            a newer version of ghoststore wrote the \(noun); install that version here too
            """)
    }

    var forged: CryptoError {
        CryptoError(codes.forged, "the \(noun) is not signed by the device that it names")
    }

    var notOpened: CryptoError {
        CryptoError(codes.notOpened, "the \(noun) cannot be opened with the key of the epoch that it names")
    }
}
