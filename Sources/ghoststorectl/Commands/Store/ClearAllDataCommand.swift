import ArgumentParser
import StoreClient

struct ClearAllDataCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear-all-data", abstract: "Delete every conversation, message, contact, scene and log.",
        discussion: "Asks first, on the terminal. The keys stay as they are. This cannot be undone.")

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Do not ask.")
    var yes = false

    func run(_ session: Session) async throws {
        if !yes {
            let counts = try await session.client.statistics()
            let question =
                "Delete every conversation (\(counts.conversationCount)), message (\(counts.messageCount)) and contact "
                + "(\(counts.contactCount)), every scene and every log? Type 'clear all data': "
            guard try Confirmation.ask(question) == "clear all data" else {
                throw CommandFailure(.failure, "not confirmed; nothing was deleted")
            }
        }
        try session.show(try await session.client.clearAllData())
    }
}
