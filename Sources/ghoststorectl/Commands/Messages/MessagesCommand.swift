import ArgumentParser

struct MessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "Messages.",
        subcommands: [
            MessagesSaveCommand.self, MessagesListCommand.self, MessagesGetCommand.self, MessagesEditCommand.self,
            MessagesStatusCommand.self, MessagesMarkReadCommand.self, MessagesDeleteCommand.self,
            MessagesImportCommand.self, MessagesExportCommand.self,
        ])
}
