/// A keyring file, parsed. Immutable, and holds no secret in the clear: safe to copy, compare and keep.
///
/// Parsing finds accidents (the checksum); only `unlock(with:)` finds forgeries (the authenticator).
package struct Keyring: Sendable, Hashable {
    let content: KeyringContent
    let authenticator: [UInt8]

    init(content: KeyringContent, authenticator: [UInt8]) {
        precondition(authenticator.count == KeyringFormat.authenticatorBytes)
        self.content = content
        self.authenticator = authenticator
    }

    /// Strict: `parse(bytes).serialized() == bytes`, whatever is accepted.
    ///
    /// - Throws: `.keyringDamaged`, `.keyringVersionUnknown`.
    package static func parse(_ bytes: [UInt8]) throws(CryptoError) -> Keyring {
        let (content, authenticator) = try KeyringParser.parse(bytes)
        return Keyring(content: content, authenticator: authenticator)
    }

    /// The file: at most 64 KiB.
    package func serialized() -> [UInt8] {
        let bytes = content.authenticatedBytes() + authenticator
        return bytes + Blake2b.digest(of: bytes)
    }

    /// By ascending number; 1 to 16 of them.
    package var slots: [KeySlotInfo] {
        content.slots.map(\.head.info)
    }

    /// How many rotations of the master key have been finished.
    package var generation: UInt64 {
        content.generation
    }

    /// Whether a rotation has begun and been neither finished nor cancelled: two master keys are sealed.
    package var hasPendingRotation: Bool {
        content.nextCheck != nil
    }
}
