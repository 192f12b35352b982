import ArgumentParser
import StoreClient

struct UnlockCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Open the store.",
        discussion: "Without a secret option a passphrase is asked for. Wrong ones are answered more and more slowly.")

    @OptionGroup var secret: SecretOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let slot = try await session.client.unlock(secret: try secret.read())
        var object = JSONObject()
        object.add("slot", slot)
        try session.output.say("the store is open (key slot \(slot))", json: object)
    }
}

struct LockCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Close the store and wipe its keys from the daemon's memory.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try await session.client.lock()
        var object = JSONObject()
        object.add("locked", true)
        try session.output.say("the store is locked", json: object)
    }
}
