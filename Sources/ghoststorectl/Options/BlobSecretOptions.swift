import ArgumentParser
import StoreClient

/// What opens a sealed message file. By default its passphrase, asked for on the terminal.
struct BlobSecretOptions: ParsableArguments {
    @Flag(name: .customLong("passphrase"), help: "Ask for the file's passphrase.")
    var asksPassphrase = false

    @Option(help: ArgumentHelp("Read the file's passphrase from a file.", valueName: "file"), completion: .file())
    var passphraseFile: String?

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the file's passphrase from an open descriptor.", valueName: "number"))
    var passphraseDescriptor: Int32?

    @Option(
        help: ArgumentHelp("Open it with a recipient's secret key: a file of 32 bytes.", valueName: "file"),
        completion: .file())
    var keyFile: String?

    func validate() throws {
        let given = [asksPassphrase, passphraseFile != nil, passphraseDescriptor != nil, keyFile != nil]
        guard given.count(where: { $0 }) <= 1 else {
            throw ValidationError("more than one secret is given; give one")
        }
    }

    var isGiven: Bool {
        asksPassphrase || passphraseFile != nil || passphraseDescriptor != nil || keyFile != nil
    }

    func read() throws -> SecretInput {
        if let path = passphraseFile {
            return try SecretSource.file(path, kind: .passphrase)
        }
        if let descriptor = passphraseDescriptor {
            return try SecretInput(kind: .passphrase, readingFrom: descriptor)
        }
        if let path = keyFile {
            return try SecretSource.file(path, kind: .keyFile)
        }
        return try SecretSource.prompt("Passphrase of the file", kind: .passphrase)
    }
}
