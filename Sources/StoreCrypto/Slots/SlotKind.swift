/// What opens a slot. The numbers are those of the keyring file and of the wire.
package enum SlotKind: UInt8, Sendable, Hashable, CaseIterable {
    case passphrase = 1
    case recoveryCode = 2
    case keyFile = 3
    /// A systemd credential.
    case credential = 4

    /// Whether a person can type what opens it.
    package var isForPerson: Bool {
        switch self {
        case .passphrase, .recoveryCode: true
        case .keyFile, .credential: false
        }
    }
}
