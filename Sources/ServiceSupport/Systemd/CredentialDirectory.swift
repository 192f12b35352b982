import Glibc

/// The credentials that the service manager passed (systemd.exec(5), LoadCredential=): files in `CREDENTIALS_DIRECTORY`
/// that only this service can read.
package enum CredentialDirectory {
    /// The name of the credential with the store's key.
    package static let keyName = "ghoststore-key"

    /// Returns the path of a credential; `nil` if it does not exist.
    package static func path(of name: String, environment: [String: String]) -> String? {
        guard let directory = environment["CREDENTIALS_DIRECTORY"], directory.hasPrefix("/") else { return nil }
        let path = directory + "/" + name
        return access(path, F_OK) == 0 ? path : nil
    }
}
