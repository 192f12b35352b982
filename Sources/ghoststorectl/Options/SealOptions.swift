import ArgumentParser
import StoreClient

/// The passphrase to seal a file with, if one is requested.
struct SealPassphraseOptions: ParsableArguments {
    @Flag(name: .customLong("passphrase"), help: "Seal the file with a passphrase, which the command asks for twice.")
    var asksPassphrase = false

    @OptionGroup var passphrase: PassphraseOptions

    @Flag(help: ArgumentHelp("Cheap key derivation, for tests.", visibility: .private))
    var lowCost = false

    /// The number of passphrase sources on the command line.
    var count: Int {
        passphrase.count + (asksPassphrase ? 1 : 0)
    }

    /// - Returns: `nil` if no passphrase is requested.
    func read() throws -> SecretInput? {
        if let secret = try passphrase.read() {
            return secret
        }
        return asksPassphrase ? try SecretSource.newPassphrase(insteadOf: PassphraseOptions.names) : nil
    }
}

/// The secret that opens a sealed file. By default it is a passphrase that the command asks for on the terminal.
struct UnsealOptions: ParsableArguments {
    @Flag(name: .customLong("passphrase"), help: "Ask for the file's passphrase.")
    var asksPassphrase = false

    @OptionGroup var passphrase: PassphraseOptions

    @Option(
        help: ArgumentHelp(
            "Open the file with the secret key of a recipient, a file of 32 bytes; '-' is standard input.",
            valueName: "file"),
        completion: .file())
    var keyFile: String?

    private var count: Int {
        passphrase.count + [asksPassphrase, keyFile != nil].count { $0 }
    }

    func validate() throws {
        guard count <= 1 else { throw ValidationError("more than one secret is given; hint: give one") }
    }

    var isGiven: Bool {
        count > 0
    }

    func read() throws -> SecretInput {
        if let secret = try passphrase.read() {
            return secret
        }
        if let path = keyFile {
            return try SecretSource.file(path, kind: .keyFile)
        }
        return try SecretSource.prompt(
            "Passphrase of the file", kind: .passphrase, insteadOf: PassphraseOptions.names)
    }
}

/// Reads the public half of an X25519 key pair from a file: its 32 bytes, or the PEM form that OpenSSL writes.
enum RecipientKeyFile {
    private static let keyBytes = 32
    private static let fileBytesMax = 4_096
    private static let firstLine = "-----BEGIN PUBLIC KEY-----"
    private static let lastLine = "-----END PUBLIC KEY-----"
    /// The bytes before the key in its SubjectPublicKeyInfo (RFC 8410, section 10.1).
    private static let prefix: [UInt8] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x6e, 0x03, 0x21, 0x00]

    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        let content = try InputFile(path).readAll(bytesMax: fileBytesMax)
        if content.count == keyBytes {
            return content
        }
        guard let key = key(inPEM: String(decoding: content, as: UTF8.self)) else {
            throw CommandFailure(
                .badData,
                "\(path) is not an X25519 public key; hint: openssl pkey -in pair.pem -pubout -out public.pem")
        }
        return key
    }

    private static func key(inPEM text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let first = lines.firstIndex(where: { $0 == firstLine }),
            let last = lines[first...].firstIndex(where: { $0 == lastLine }),
            let encoded = Base64.bytes(lines[(first + 1)..<last].joined()),
            encoded.count == prefix.count + keyBytes, encoded.starts(with: prefix)
        else { return nil }
        return Array(encoded.dropFirst(prefix.count))
    }
}
