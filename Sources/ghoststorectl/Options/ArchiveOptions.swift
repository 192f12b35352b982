import ArgumentParser
import StoreClient

/// The way in which an archive is sealed. By default, the archive is not sealed.
struct ArchiveSealOptions: ParsableArguments {
    @OptionGroup var passphrase: SealPassphraseOptions

    @Option(
        help: ArgumentHelp(
            """
            Seal the archive for the owner of this X25519 public key: a PEM file, or a file of 32 bytes; '-' is \
            standard input. Repeat it for up to 16 recipients, each of which can open the archive.
            """,
            valueName: "file"), completion: .file())
    var recipient: [String] = []

    private var count: Int {
        passphrase.count + (recipient.isEmpty ? 0 : 1)
    }

    func validate() throws {
        guard count <= 1 else {
            throw ValidationError("an archive can be sealed in only one way; hint: give one passphrase, or recipients")
        }
    }

    var isGiven: Bool {
        count > 0
    }

    func read() throws -> ArchiveSeal {
        guard recipient.isEmpty else {
            return .recipients(publicKeys: try recipient.map { try RecipientKeyFile.read($0) })
        }
        if let secret = try passphrase.read() {
            return .passphrase(secret, lowCost: passphrase.lowCost)
        }
        return .none
    }
}
