import ArgumentParser
import StoreClient

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Manage the secrets that open the store.",
        subcommands: [
            KeysListCommand.self, KeysAddCommand.self, KeysRemoveCommand.self, KeysChangePassphraseCommand.self,
            KeysRotateCommand.self,
        ])
}

struct KeysListCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the key slots.")

    @OptionGroup var columns: ColumnOptions<KeySlot>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.keySlots(), columns.names, emptyText: "no key slots")
    }
}

struct KeysAddCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a key slot.",
        discussion: """
            The store must be open. The command asks for a passphrase that opens the store now, unless an option names \
            another secret. It asks twice for the passphrase of the new slot, unless a --new option names another \
            secret.
            """)

    @OptionGroup(title: "The secret that opens the store now") var secret: SecretOptions
    @OptionGroup(title: "The new slot") var new: NewSecretOptions
    @OptionGroup(title: "The new slot") var recovery: RecoveryCodeOptions
    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp("Key file that opens the new slot; '-' is standard input.", valueName: "file"),
        completion: .file())
    var newKeyFile: String?

    @Option(
        help: ArgumentHelp(
            """
            File that opens the new slot, and that the service manager passes to the daemon as the credential \
            ghoststore-key; '-' is standard input.
            """,
            valueName: "file"), completion: .file())
    var newCredential: String?

    @Flag(help: "Let the daemon create a recovery code for the new slot; it is printed once.")
    var newRecoveryCode = false

    @Option(help: "Label of the new slot, at most 64 bytes.")
    var label = ""

    @Flag(help: "Use cheap key derivation, for tests. The daemon's configuration must allow it.")
    var lowCost = false

    func validate() throws {
        guard [new.isGiven, newKeyFile != nil, newCredential != nil, newRecoveryCode].count(where: { $0 }) <= 1 else {
            throw ValidationError("more than one new secret is given; hint: give one")
        }
    }

    func run(_ session: Session) async throws {
        let recoveryTarget = newRecoveryCode ? try RecoveryCodeTarget(recovery) : nil
        let current = try secret.read(prompt: "Passphrase that opens the store now")
        var added = try await session.client.addKeySlot(
            authorizedBy: current, new: try newSlot(), label: label, lowCost: lowCost)
        let number = added.number
        // With --quiet, standard output contains only the code, so that scripts can read it.
        let isCodeAlone = global.isQuiet && newRecoveryCode && recovery.path == nil
        let output = isCodeAlone ? global.makeOutput(descriptor: ProgramRun.current.errors) : session.output
        try output.say("added key slot \(number)", json: ["slot": number], name: String(number))
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

struct KeysRemoveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a key slot, so that its secret no longer opens the store.",
        discussion: """
            The store must be open, and you need a secret that opens it now. The last slot with a passphrase or a \
            recovery code cannot be removed. Old copies of the keyring, such as those in backups, still have the slot, \
            so the slot's secret opens these copies. If the daemon opens the store with this slot when it starts, the \
            command asks on the terminal. In this case add a slot for the daemon's new key before you remove the old \
            slot.
            """)

    @Argument(help: "Number of the slot, as 'keys list' shows it.", completion: .live(.keySlots))
    var slot: Int

    @OptionGroup var secret: SecretOptions
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Do not ask.")
    var yes = false

    var subjects: [String] { [String(slot)] }

    func run(_ session: Session) async throws {
        let isConfigured = try await session.client.keySlots().contains { $0.number == slot && $0.isConfigured }
        if isConfigured, !yes {
            let question =
                """
                The daemon opens the store with key slot \(slot) when it starts. Without this slot the store \
                stays closed after the next start until a person unlocks the store. Remove key slot \(slot)?
                """
            try Confirmation.ask(question, word: "remove")
        }
        // After this check, the daemon may get a new configured key that opens this slot. The removal then fails.
        try await secret.attempt(prompt: "Passphrase that opens the store now") { secret in
            try await session.client.removeKeySlot(slot, authorizedBy: secret, evenIfConfigured: isConfigured)
        }
        if isConfigured {
            Diagnostics.warn("the daemon cannot open the store at its next start; hint: ghoststorectl doctor")
        }
        try session.output.say("removed key slot \(slot)", json: ["removed_slot": slot])
    }
}

struct KeysChangePassphraseCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-passphrase", abstract: "Replace the passphrase of a key slot.")

    @OptionGroup(title: "The old passphrase") var old: PassphraseOptions
    @OptionGroup(title: "The new passphrase") var new: NewSecretOptions
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Use cheap key derivation, for tests. The daemon's configuration must allow it.")
    var lowCost = false

    func run(_ session: Session) async throws {
        let current =
            try old.read()
            ?? SecretSource.prompt("Old passphrase", kind: .passphrase, insteadOf: PassphraseOptions.names)
        let slot = try await session.client.changePassphrase(old: current, new: try new.read(), lowCost: lowCost)
        try session.output.say("changed the passphrase of key slot \(slot)", json: ["slot": slot])
    }
}

struct KeysRotateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Encrypt the store with a new master key while clients use the store.",
        discussion: "Every slot keeps its secret. If the rotation is interrupted at any point, the store still opens.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let generation = try await Interruption.withNotice("the daemon continues the rotation until the end") {
            try await session.withProgress("rotating", "pages") { progress in
                try await session.client.rotateMasterKey(progress: progress)
            }
        }
        try session.output.say(
            "the store has a new master key (generation \(generation))", json: ["generation": generation])
    }
}
