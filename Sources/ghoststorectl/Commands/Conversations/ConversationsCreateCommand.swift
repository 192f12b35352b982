import ArgumentParser
import StoreClient

struct ConversationsCreateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a conversation, or show the one that is there.")

    @Argument(help: "Session id of the other party, 1 to 256 bytes.")
    var session: String

    @Option(help: "Id to give a new one; a UUIDv7 by default.")
    var id: String?

    @Option(help: "Name of a new one.")
    var displayName: String?

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(
            try await session.client.getOrCreateConversation(
                sessionID: self.session, id: id ?? UUIDv7().description, displayName: displayName))
    }
}
