import ArgumentParser
import StoreClient

struct ContactsGetCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Show a contact.")

    @Argument(help: "Session id of the contact.")
    var session: String

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Fetch the avatar too; --json prints it in base64.")
    var avatar = false

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.contact(sessionID: self.session, includeAvatar: avatar))
    }
}
