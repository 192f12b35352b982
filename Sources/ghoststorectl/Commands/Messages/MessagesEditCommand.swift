import ArgumentParser
import StoreClient

struct MessagesEditCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Replace a message's text and keep when that was.")

    @Argument(help: "Id of the message.")
    var id: String

    @OptionGroup var text: TextArgument
    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("When, now by default: \(TimeOption.help).", valueName: "time"))
    var time: TimeOption?

    func run(_ session: Session) async throws {
        try session.show(
            try await session.client.editMessage(id, text: try text.read(), editedAt: time?.timestamp ?? .now))
    }
}
