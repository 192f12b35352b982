import ArgumentParser
import StoreClient

struct ConversationsMarkReadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark-read", abstract: "Mark every message of a conversation read.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.markConversationRead(conversation.reference))
    }
}

struct ConversationsDeleteCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a conversation with all its messages.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.deleteConversation(conversation.reference))
    }
}
