import ArgumentParser
import StoreClient

struct InitCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make a new store and leave it open.",
        discussion: """
            Refused when a store exists already. Without a secret option a passphrase is asked for, twice. A store \
            whose last secret is lost cannot be opened by anybody: consider --with-recovery-code.
            """)

    @OptionGroup var secret: SecretOptions
    @OptionGroup var recovery: RecoveryCodeOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: "Label of the first key slot, at most 64 bytes.")
    var label = ""

    @Flag(help: "Also make a recovery code and print it, once.")
    var withRecoveryCode = false

    @Flag(help: "Cheap key derivation, for tests; refused unless the daemon's configuration allows it.")
    var lowCost = false

    func run(_ session: Session) async throws {
        let recoveryTarget = withRecoveryCode ? try RecoveryCodeTarget(recovery) : nil
        let code = try await session.client.initializeStore(
            secret: try secret.readNew(), label: label, withRecoveryCode: withRecoveryCode, lowCost: lowCost)
        var object = JSONObject()
        object.add("initialized", true)
        try session.output.say("the store is made and open", json: object)
        if let code, let recoveryTarget {
            try recoveryTarget.write(code, session.output)
        }
    }
}
