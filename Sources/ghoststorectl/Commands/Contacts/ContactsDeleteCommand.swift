import ArgumentParser
import StoreClient

struct ContactsDeleteCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete a contact.")

    @Argument(help: "Session id of the contact.")
    var session: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.deleteContact(sessionID: self.session))
    }
}

struct ContactsBlockCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Block a contact; one that is missing is made.")

    @Argument(help: "Session id of the contact.")
    var session: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.blockContact(sessionID: self.session))
    }
}

struct ContactsUnblockCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "unblock", abstract: "Unblock a contact.")

    @Argument(help: "Session id of the contact.")
    var session: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.unblockContact(sessionID: self.session))
    }
}
