import ArgumentParser

struct ConversationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conversations", abstract: "Conversations.",
        subcommands: [
            ConversationsListCommand.self, ConversationsGetCommand.self, ConversationsCreateCommand.self,
            ConversationsUpdateCommand.self, ConversationsMarkReadCommand.self, ConversationsDeleteCommand.self,
        ])
}
