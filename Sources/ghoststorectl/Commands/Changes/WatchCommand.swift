import ArgumentParser
import StoreClient

struct WatchCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Follow the store's changes as they are committed.",
        discussion: "Goes on until it is interrupted, across restarts of the daemon.")

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Replay the changes with a greater revision first.", valueName: "revision"))
    var after: UInt64?

    @Option(help: "Only changes of this kind. Can be repeated.")
    var kind: [ChangeKindOption] = []

    @Option(help: ArgumentHelp("Only the conversation with this session id, and its messages.", valueName: "session"))
    var session: String?

    @Option(help: ArgumentHelp("Only the conversation with this id, and its messages.", valueName: "id"))
    var conversationID: String?

    @Option(help: ArgumentHelp("End after so many changes.", valueName: "number"))
    var count: Int?

    func validate() throws {
        guard session == nil || conversationID == nil else {
            throw ValidationError("--session and --conversation-id exclude each other")
        }
        guard (count ?? 1) > 0 else {
            throw ValidationError("--count is at least 1")
        }
    }

    func run(_ session: Session) async throws {
        let conversation = try await conversationID(session)
        let filter = WatchFilter(kinds: kind.map(\.kind), conversationID: conversation)
        try await ChangeFollowing(after: after, count: count).run(filter, session)
    }

    private func conversationID(_ session: Session) async throws(StoreClientError) -> String? {
        guard let sessionID = self.session else {
            return conversationID
        }
        return try await session.client.conversation(.sessionID(sessionID)).id
    }
}
