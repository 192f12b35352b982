import ArgumentParser
import StoreClient

struct ConversationsGetCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Show a conversation.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Fetch the avatar too; --json prints it in base64.")
    var avatar = false

    func run(_ session: Session) async throws {
        try session.output.show(
            try await session.client.conversation(conversation.reference, includeAvatar: avatar))
    }
}
