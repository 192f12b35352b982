import StoreBasics
import StoreCrypto

/// Returns the code of the error that `body` throws, or `nil` if it throws none.
func code(_ body: () throws(CryptoError) -> Void) -> CryptoError.Code? {
    do throws(CryptoError) {
        try body()
        return nil
    } catch {
        return error.code
    }
}

/// Returns the code of the error that a change to `keyring` throws, or `nil` if it throws none.
func code(
    changing keyring: inout UnlockedKeyring, _ body: (inout UnlockedKeyring) throws(CryptoError) -> Void
) -> CryptoError.Code? {
    do throws(CryptoError) {
        try body(&keyring)
        return nil
    } catch {
        return error.code
    }
}

func secretBytes(_ bytes: [UInt8]) throws(CryptoError) -> SecretBytes {
    try SecretBytes(copying: bytes)
}

func contents(of secret: borrowing SecretBytes) -> [UInt8] {
    secret.withUnsafeBytes { Array($0) }
}

func text(of secret: borrowing SecretBytes) -> String {
    String(decoding: contents(of: secret), as: UTF8.self)
}

func passphrase(_ text: String) throws(CryptoError) -> SlotSecret {
    try SlotSecret(kind: .passphrase, bytes: secretBytes(Array(text.utf8)))
}

/// Returns a key file of 40 equal bytes.
func keyFile(_ byte: UInt8, kind: SlotKind = .keyFile) throws(CryptoError) -> SlotSecret {
    try SlotSecret(kind: kind, bytes: secretBytes([UInt8](repeating: byte, count: 40)))
}

/// Returns a secret of any kind. The same kind and byte give the same secret.
func secret(_ kind: SlotKind, _ byte: UInt8 = 1) throws(CryptoError) -> SlotSecret {
    switch kind {
    case .passphrase: return try passphrase("passphrase \(byte)")
    case .keyFile, .credential: return try keyFile(byte, kind: kind)
    case .recoveryCode:
        let code = byte == 1 ? "3AHR-Z6DM-V29G-QY5C-KT18-FPX4-BJQG-XGA2" : try text(of: RecoveryCode.generate())
        return try SlotSecret(kind: .recoveryCode, bytes: secretBytes(Array(code.utf8)))
    }
}

/// Takes the secret out of a box and returns its bytes, or `nil` if the box is empty.
func contents(takenFrom box: SecretBox) -> [UInt8]? {
    guard let secret = box.take() else { return nil }
    return contents(of: secret)
}

extension UnlockedKeyring {
    borrowing func databaseKeyText(_ generation: MasterKeyGeneration = .current) throws(CryptoError) -> String {
        try withMasterKey(generation) { (key) throws(CryptoError) in text(of: try key.databaseKey()) }
    }
}

extension Keyring {
    /// Returns the database key after unlocking, as text.
    func databaseKeyText(
        unlockingWith secret: borrowing SlotSecret, _ generation: MasterKeyGeneration = .current
    ) throws(CryptoError) -> String {
        try unlock(with: secret).databaseKeyText(generation)
    }
}

func create(_ secret: borrowing SlotSecret, label: String = "first") throws(CryptoError) -> UnlockedKeyring {
    try Keyring.create(secret: secret, label: label, cost: .lowForTests, nowMicroseconds: 1_700_000_000_000_000)
}

/// Decodes hexadecimal digits of either case, between which spaces are allowed.
func bytes(hexadecimal text: some StringProtocol) -> [UInt8] {
    Hexadecimal.decode(String(text.filter { !$0.isWhitespace })) ?? []
}
