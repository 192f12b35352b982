import ArgumentParser
import StoreClient

/// Where a secret that is to open the store from now on comes from. By default a passphrase, asked for twice.
struct NewSecretOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the new passphrase from a file.", valueName: "file"), completion: .file())
    var newPassphraseFile: String?

    @Option(
        name: .customLong("new-passphrase-fd"),
        help: ArgumentHelp("Read the new passphrase from an open descriptor.", valueName: "number"))
    var newPassphraseDescriptor: Int32?

    func validate() throws {
        guard newPassphraseFile == nil || newPassphraseDescriptor == nil else {
            throw ValidationError("more than one new passphrase is given; give one")
        }
    }

    var isGiven: Bool {
        newPassphraseFile != nil || newPassphraseDescriptor != nil
    }

    func read() throws -> SecretInput {
        if let path = newPassphraseFile {
            return try SecretSource.file(path, kind: .passphrase)
        }
        if let descriptor = newPassphraseDescriptor {
            return try SecretInput(kind: .passphrase, readingFrom: descriptor)
        }
        return try SecretSource.newPassphrase()
    }
}
