import ArgumentParser
import StoreClient

/// How an exported message file is sealed: not at all unless asked for.
struct BlobSealOptions: ParsableArguments {
    @Flag(name: .customLong("passphrase"), help: "Seal it with a passphrase, asked for twice.")
    var asksPassphrase = false

    @Option(
        help: ArgumentHelp("Seal it with a passphrase, read from a file.", valueName: "file"), completion: .file())
    var passphraseFile: String?

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Seal it with a passphrase, read from an open descriptor.", valueName: "number"))
    var passphraseDescriptor: Int32?

    @Option(
        help: ArgumentHelp(
            "Seal it for whoever has the secret half of this X25519 key: a PEM file, or one of 32 bytes.",
            valueName: "file"), completion: .file())
    var recipient: String?

    @Flag(help: ArgumentHelp("Cheap key derivation, for tests.", visibility: .private))
    var lowCost = false

    func validate() throws {
        let given = [asksPassphrase, passphraseFile != nil, passphraseDescriptor != nil, recipient != nil]
        guard given.count(where: { $0 }) <= 1 else {
            throw ValidationError("a file is sealed in one way; give one passphrase or one recipient")
        }
    }

    var isGiven: Bool {
        asksPassphrase || passphraseFile != nil || passphraseDescriptor != nil || recipient != nil
    }

    func read() throws -> BlobSeal {
        if let recipient {
            return .recipient(publicKey: try RecipientKeyFile.read(recipient))
        }
        if let path = passphraseFile {
            return .passphrase(try SecretSource.file(path, kind: .passphrase), lowCost: lowCost)
        }
        if let descriptor = passphraseDescriptor {
            return .passphrase(try SecretInput(kind: .passphrase, readingFrom: descriptor), lowCost: lowCost)
        }
        return asksPassphrase ? .passphrase(try SecretSource.newPassphrase(), lowCost: lowCost) : .none
    }
}
