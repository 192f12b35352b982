import ArgumentParser
import StoreClient

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "The ways to open the store: key slots, passphrases, the master key.",
        subcommands: [
            KeysListCommand.self, KeysAddCommand.self, KeysRemoveCommand.self, KeysChangePassphraseCommand.self,
            KeysRotateCommand.self,
        ])
}

struct KeysListCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the key slots.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.keySlots(), emptyText: "no key slots")
    }
}
