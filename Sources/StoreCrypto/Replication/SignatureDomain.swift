import CSodium

/// The kind of message that a device's Ed25519 signature (RFC 8032) covers. Each kind has a label that is signed before
/// the message, so that a signature of one kind is never valid for another. The labels are part of the format.
///
/// https://doc.libsodium.org/public-key_cryptography/public-key_signatures
package enum SignatureDomain: String, Hashable, Sendable, CaseIterable {
    case batch = "ghoststore batch 1"
    case snapshotChunk = "ghoststore snapshot chunk 1"
    case invitationRequest = "ghoststore invitation request 1"

    package static let signingKeyBytes = 32
    package static let signatureBytes = 64

    /// Returns the signed bytes: the label, a zero byte, the message. No label contains a zero byte, so that the signed
    /// bytes of two kinds are never equal.
    func signedBytes(of message: [UInt8]) -> [UInt8] {
        Array(rawValue.utf8) + [0] + message
    }

    /// Returns true if the device with this public key has signed the message.
    ///
    /// All stores of a group must decide alike, but libsodium verifies without the cofactor up to version 1.0.18 and
    /// with it in later versions. Both methods agree if the signing key and the signature's point R are in the subgroup
    /// of prime order. This is so for every signature made by RFC 8032, so all other signatures are rejected
    /// (https://doc.libsodium.org/advanced/point-arithmetic).
    ///
    /// - Parameters:
    ///   - signature: 64 bytes; another number of bytes is invalid.
    ///   - signingKey: 32 bytes; another number of bytes is invalid.
    /// - Throws: `.sodiumUnavailable`.
    package func isSignature(
        _ signature: [UInt8], of message: [UInt8], by signingKey: [UInt8]
    ) throws(CryptoError) -> Bool {
        try SodiumRuntime.start()
        guard signature.count == Self.signatureBytes, signingKey.count == Self.signingKeyBytes else { return false }
        guard crypto_core_ed25519_is_valid_point(signingKey) == 1,
            crypto_core_ed25519_is_valid_point(signature) == 1
        else { return false }
        let signed = signedBytes(of: message)
        return crypto_sign_verify_detached(signature, signed, UInt64(signed.count), signingKey) == 0
    }
}
