import ArgumentParser
import StoreClient

struct KeysRemoveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a key slot: what opened it opens the store no more.",
        discussion: """
            Needs the store open and a secret that opens it now. The last slot a person can use cannot be removed. \
            Old copies of the keyring, in backups too, keep the slot.
            """)

    @Argument(help: "Number of the slot, as 'keys list' shows it.")
    var slot: Int

    @OptionGroup var secret: SecretOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try await session.client.removeKeySlot(
            slot, authorizedBy: try secret.read(prompt: "Passphrase that opens the store now"))
        var object = JSONObject()
        object.add("removed_slot", slot)
        try session.output.say("removed key slot \(slot)", json: object)
    }
}
