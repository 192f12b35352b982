import ArgumentParser
import StoreClient

/// The way in which an exported message file is sealed. By default, the file is not sealed.
struct BlobSealOptions: ParsableArguments {
    @OptionGroup var passphrase: SealPassphraseOptions

    @Option(
        help: ArgumentHelp(
            """
            Seal the file for the owner of this X25519 public key: a PEM file, or a file of 32 bytes; '-' is \
            standard input.
            """,
            valueName: "file"), completion: .file())
    var recipient: String?

    private var count: Int {
        passphrase.count + (recipient == nil ? 0 : 1)
    }

    func validate() throws {
        guard count <= 1 else {
            throw ValidationError("a file can be sealed in only one way; hint: give one passphrase or one recipient")
        }
    }

    var isGiven: Bool {
        count > 0
    }

    func read() throws -> BlobSeal {
        if let recipient {
            return .recipient(publicKey: try RecipientKeyFile.read(recipient))
        }
        if let secret = try passphrase.read() {
            return .passphrase(secret, lowCost: passphrase.lowCost)
        }
        return .none
    }
}
