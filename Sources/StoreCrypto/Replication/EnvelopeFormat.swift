/// The constants by which batches and chunks of snapshots differ: magic, signature domain, subkeys and error codes. No
/// value is used for two kinds, so that an envelope of one kind never passes for another.
package struct EnvelopeFormat: Sendable {
    /// The size limit of every message in the group's stream. By default NATS accepts 1 MiB for payload and headers
    /// (`max_payload`, https://docs.nats.io/running-a-nats-service/configuration); 64 KiB are left for the headers.
    package static let envelopeBytesMax = (1 << 20) - (64 << 10)
    package static let groupBytes = 16
    package static let hashBytes = Blake2b.digestBytes
    static let magicBytes = 4
    static let version: UInt8 = 3
    static let signatureBytes = SignatureDomain.signatureBytes

    /// The name of the kind in messages for people.
    let noun: String
    /// Four ASCII characters.
    let magic: [UInt8]
    /// The size of the header fields that only this kind has. They give the envelope's position in its stream.
    let placeBytes: Int
    let domain: SignatureDomain
    let sealing: EpochKey.Subkey
    let nonces: EpochKey.Subkey
    let codes: Codes

    struct Codes {
        let malformed, versionUnknown, forged, notOpened: CryptoError.Code
    }

    /// The size of the header: magic, version, group, the envelope's position, the epoch's number and maker, hash of
    /// the previous envelope.
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
