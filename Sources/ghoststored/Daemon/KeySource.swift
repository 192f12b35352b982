internal import StoreCrypto
internal import StoreServer

/// Where the key comes from that opens the store without a person: the configured key file, else a credential of the
/// service manager, else nowhere, and a person unlocks the store.
enum KeySource: Sendable, Hashable {
    case keyFile(path: String)
    case credential(path: String)
    case none

    static func choose(keyFile: String?, environment: [String: String]) -> KeySource {
        if let keyFile {
            return .keyFile(path: keyFile)
        }
        if let path = CredentialDirectory.path(of: CredentialDirectory.keyName, environment: environment) {
            return .credential(path: path)
        }
        return .none
    }

    /// The secret, straight from the file into protected memory; nil without a source.
    func read() throws(CryptoError) -> SlotSecret? {
        switch self {
        case .keyFile(let path): try KeyFile.read(at: path, kind: .keyFile)
        case .credential(let path): try KeyFile.read(at: path, kind: .credential)
        case .none: nil
        }
    }

    /// The label of the slot that a new store gets for it.
    var slotLabel: String {
        switch self {
        case .keyFile: "key file"
        case .credential: "credential"
        case .none: ""
        }
    }
}
