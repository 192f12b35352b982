import ArgumentParser
import StoreClient

struct KeysAddCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a key slot.",
        discussion: """
            Needs the store open and a secret that opens it now: a passphrase is asked for, unless another is named. \
            The new slot is opened with a passphrase, asked for twice, unless --new-… says otherwise.
            """)

    @OptionGroup(title: "The secret that opens the store now") var secret: SecretOptions
    @OptionGroup(title: "The new slot") var new: NewSecretOptions
    @OptionGroup(title: "The new slot") var recovery: RecoveryCodeOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("The new slot is opened with a key file.", valueName: "file"), completion: .file())
    var newKeyFile: String?

    @Option(
        help: ArgumentHelp(
            "The new slot is opened with what the service manager passes as the credential ghoststore-key: this file.",
            valueName: "file"), completion: .file())
    var newCredential: String?

    @Flag(help: "The daemon makes a recovery code for the new slot; it is printed once.")
    var newRecoveryCode = false

    @Option(help: "Label of the new slot, at most 64 bytes.")
    var label = ""

    @Flag(help: "Cheap key derivation, for tests; refused unless the daemon's configuration allows it.")
    var lowCost = false

    func validate() throws {
        guard [new.isGiven, newKeyFile != nil, newCredential != nil, newRecoveryCode].count(where: { $0 }) <= 1 else {
            throw ValidationError("more than one new secret is given; give one")
        }
    }

    func run(_ session: Session) async throws {
        let recoveryTarget = newRecoveryCode ? try RecoveryCodeTarget(recovery) : nil
        let current = try secret.read(prompt: "Passphrase that opens the store now")
        var added = try await session.client.addKeySlot(
            authorizedBy: current, new: try newSlot(), label: label, lowCost: lowCost)
        let number = added.number
        var object = JSONObject()
        object.add("slot", number)
        try session.output.say("added key slot \(number)", json: object)
        if let code = added.takeRecoveryCode(), let recoveryTarget {
            try recoveryTarget.write(code, session.output)
        }
    }

    private func newSlot() throws -> NewKeySlot {
        if newRecoveryCode {
            return .generatedRecoveryCode
        }
        if let newKeyFile {
            return .secret(try SecretSource.file(newKeyFile, kind: .keyFile))
        }
        if let newCredential {
            return .secret(try SecretSource.file(newCredential, kind: .credential))
        }
        return .secret(try new.read())
    }
}
