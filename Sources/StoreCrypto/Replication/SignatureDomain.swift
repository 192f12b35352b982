import CSodium

/// What a device's Ed25519 signature (RFC 8032) says of a message: each kind has a label of its own in front of what is
/// signed, so that a signature of one kind is never one of another. The labels are part of the format.
///
/// https://doc.libsodium.org/public-key_cryptography/public-key_signatures
package enum SignatureDomain: String, Hashable, Sendable, CaseIterable {
    case batch = "ghoststore batch 1"
    case snapshotChunk = "ghoststore snapshot chunk 1"
    case invitationRequest = "ghoststore invitation request 1"

    package static let signingKeyBytes = 32
    package static let signatureBytes = 64

    /// The label, a zero byte, the message. No label holds a zero, so none with its message begins as another does.
    func signedBytes(of message: [UInt8]) -> [UInt8] {
        Array(rawValue.utf8) + [0] + message
    }

    /// Whether the device with this public key has signed the message.
    ///
    /// Stores of a group must decide alike, but libsodium checks the equation without the cofactor up to 1.0.18 and
    /// with it in later versions. Both come to the same where key and R lie in the subgroup of prime order, as those of
    /// all who sign by RFC 8032 do, so others are refused (https://doc.libsodium.org/advanced/point-arithmetic).
    ///
    /// - Parameters:
    ///   - signature: 64 bytes; of any other count it is none.
    ///   - signingKey: 32 bytes; nobody has one of another count.
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
