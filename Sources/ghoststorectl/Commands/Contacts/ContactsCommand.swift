import ArgumentParser

struct ContactsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts", abstract: "Contacts.",
        subcommands: [
            ContactsListCommand.self, ContactsGetCommand.self, ContactsSaveCommand.self, ContactsDeleteCommand.self,
            ContactsBlockCommand.self, ContactsUnblockCommand.self,
        ])
}
