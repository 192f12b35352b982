import ArgumentParser
import StoreClient

struct MessagesGetCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Show a message.")

    @Argument(help: "Id of the message.")
    var id: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.message(id))
    }
}
