import Glibc

/// Credentials that the service manager passed (systemd.exec(5), LoadCredential=): files in `CREDENTIALS_DIRECTORY`,
/// readable by this service alone.
package enum CredentialDirectory {
    /// The name under which the store's key is passed.
    package static let keyName = "ghoststore-key"

    /// The path of a credential; `nil` when there is none of that name.
    package static func path(of name: String, environment: [String: String]) -> String? {
        guard let directory = environment["CREDENTIALS_DIRECTORY"], directory.hasPrefix("/") else { return nil }
        let path = directory + "/" + name
        return access(path, F_OK) == 0 ? path : nil
    }
}
