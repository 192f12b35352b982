import ArgumentParser
import StoreClient

struct KeysChangePassphraseCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-passphrase", abstract: "Give the slot of a passphrase another passphrase.")

    @OptionGroup(title: "The old passphrase") var secret: OldPassphraseOptions
    @OptionGroup(title: "The new passphrase") var new: NewSecretOptions
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Cheap key derivation, for tests; refused unless the daemon's configuration allows it.")
    var lowCost = false

    func run(_ session: Session) async throws {
        let old = try secret.read()
        let slot = try await session.client.changePassphrase(old: old, new: try new.read(), lowCost: lowCost)
        var object = JSONObject()
        object.add("slot", slot)
        try session.output.say("changed the passphrase of key slot \(slot)", json: object)
    }
}

/// Where the passphrase that is to be replaced comes from.
struct OldPassphraseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the passphrase from a file.", valueName: "file"), completion: .file())
    var passphraseFile: String?

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the passphrase from an open descriptor.", valueName: "number"))
    var passphraseDescriptor: Int32?

    func read() throws -> SecretInput {
        if let path = passphraseFile {
            return try SecretSource.file(path, kind: .passphrase)
        }
        if let descriptor = passphraseDescriptor {
            return try SecretInput(kind: .passphrase, readingFrom: descriptor)
        }
        return try SecretSource.prompt("Old passphrase", kind: .passphrase)
    }
}
