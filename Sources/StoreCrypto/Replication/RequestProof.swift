/// A signature over an invitation's id and the plaintext of a request to join. It proves that the requesting device has
/// the secret half of the signing key in the request. A proof for one invitation is not valid for another.
package enum RequestProof {
    /// Signs a request.
    ///
    /// - Parameters:
    ///   - request: the plaintext of the request, which contains both public keys of the device.
    ///   - invitation: the id of the invitation, 16 bytes.
    /// - Returns: 64 bytes.
    package static func sign(
        _ request: [UInt8], invitation: [UInt8], deviceKeys: borrowing ReplicaDeviceKeys
    ) -> [UInt8] {
        deviceKeys.sign(message(request, invitation), as: .invitationRequest)
    }

    /// Verifies a proof.
    ///
    /// - Parameter signingKey: the signing key in the request, 32 bytes.
    /// - Throws: `.invitationRequestForged`, `.sodiumUnavailable`.
    package static func verify(
        _ proof: [UInt8], of request: [UInt8], invitation: [UInt8], signingKey: [UInt8]
    ) throws(CryptoError) {
        let message = message(request, invitation)
        guard try SignatureDomain.invitationRequest.isSignature(proof, of: message, by: signingKey) else {
            throw CryptoError(.invitationRequestForged, "the request is not signed with the key that it names")
        }
    }

    private static func message(_ request: [UInt8], _ invitation: [UInt8]) -> [UInt8] {
        precondition(invitation.count == InvitationKey.idBytes, "an invitation's id must have 16 bytes")
        return invitation + request
    }
}
