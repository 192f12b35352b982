import StoreCrypto
import StoreEngine
import StoreProtocol

extension RequestSecrets {
    /// Removes and returns the secret of an optional field; `nil` if the field is not given.
    ///
    /// - Throws: `StoreError` if the field is given and its value is empty.
    func takeSecret(_ secret: WireSecret?, field: String) throws(StoreError) -> SlotSecretBox? {
        guard let secret else { return nil }
        guard let taken = try takeSecret(kind: secret.kind) else { throw .invalidArgument("\(field).value is empty") }
        return taken
    }

    /// Returns the seal of a file that leaves the store, with the secret removed from the request: a passphrase, public
    /// keys of recipients, or none.
    ///
    /// - Parameter file: The name of the file in error messages: `an archive`.
    func takeSeal(
        of file: String, passphrase: WireSecret?, lowCost: Bool, publicKeys: [[UInt8]]
    ) throws(StoreError) -> FileSeal {
        guard let passphrase = try takeSecret(passphrase, field: "passphrase") else {
            return publicKeys.isEmpty ? .none : .recipients(publicKeys: publicKeys)
        }
        guard publicKeys.isEmpty else {
            throw .invalidArgument("\(file) can be sealed with a passphrase or for recipients, but not both")
        }
        return .passphrase(passphrase, lowCost: lowCost)
    }
}
