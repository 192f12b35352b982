import ArgumentParser
import StoreClient

struct MessagesStatusCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say how far messages have come: all of them or none.")

    @Argument(help: "pending, sent, delivered or failed.")
    var status: StatusOption

    @Argument(help: "Ids of the messages.")
    var ids: [String]

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.updateMessageStatus(ids, to: status.status))
    }
}

struct MessagesMarkReadCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "mark-read", abstract: "Mark messages read.")

    @Argument(help: "Ids of the messages.")
    var ids: [String]

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.markMessagesRead(ids))
    }
}

struct MessagesDeleteCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete messages: all of them, or none when one does not exist.")

    @Argument(help: "Ids of the messages.")
    var ids: [String]

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.deleteMessages(ids))
    }
}
