import Interchange
import StoreCrypto

/// An X25519 key pair, generated with `openssl genpkey -algorithm X25519`.
enum RecipientPair {
    static let secretKey = bytes(hexadecimal: "f8bfeec422bf4e720a5598b9daa33358a78275dbbad97abec685f9dcf2de7b68")
    static let publicKey = bytes(hexadecimal: "21bbdd26563b4036cb16f519085d4e46d54b4f7b8af41bf020f0e0e97a01cc36")

    static func secret() throws(CryptoError) -> SlotSecret {
        try SlotSecret(kind: .keyFile, bytes: secretBytes(secretKey))
    }
}

/// The kind of key that a sealed stream in these tests is sealed with.
enum TestSeal: CaseIterable {
    case forPassphrase
    case forRecipient

    var headerBytes: Int { self == .forPassphrase ? 105 : 189 }

    func writer() throws(CryptoError) -> SealedStreamWriter {
        switch self {
        case .forPassphrase: try SealedStreamWriter(passphrase: passphrase("correct horse"), cost: .lowForTests)
        case .forRecipient: try SealedStreamWriter(recipientPublicKey: RecipientPair.publicKey)
        }
    }

    func secret() throws(CryptoError) -> SlotSecret {
        switch self {
        case .forPassphrase: try passphrase("correct horse")
        case .forRecipient: try RecipientPair.secret()
        }
    }

    func seal(_ content: [UInt8], pieceBytes: Int = 10_000) throws(CryptoError) -> [UInt8] {
        var writer = try writer()
        var sealed = writer.header
        for start in stride(from: 0, to: content.count, by: pieceBytes) {
            writer.append(Array(content[start..<min(start + pieceBytes, content.count)]), to: &sealed)
        }
        writer.finish(&sealed)
        return sealed
    }
}

func open(
    _ sealed: [UInt8], _ secret: consuming SlotSecret, _ format: SealedFileFormat = .messages, pieceBytes: Int = 7_001
) throws(CryptoError) -> [UInt8] {
    var reader = SealedStreamReader(secret: secret, format)
    var content: [UInt8] = []
    for start in stride(from: 0, to: sealed.count, by: pieceBytes) {
        try reader.feed(sealed[start..<min(start + pieceBytes, sealed.count)], to: &content)
    }
    try reader.finish(to: &content)
    return content
}

func openingError(
    _ sealed: [UInt8], _ secret: consuming SlotSecret, pieceBytes: Int = 7_001
) -> CryptoError? {
    do throws(CryptoError) {
        _ = try open(sealed, secret, pieceBytes: pieceBytes)
        return nil
    } catch {
        return error
    }
}

func content(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}
