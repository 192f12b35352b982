import ArgumentParser
import StoreClient

struct ConversationsListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List conversations: pinned ones first, each part newest activity first.")

    @OptionGroup var page: PageOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: "Go on where a page ended.")
    var cursor: String?

    @Flag(inversion: .prefixedNo, help: "Only pinned ones, or only the others.")
    var pinned: Bool?

    @Flag(inversion: .prefixedNo, help: "Only muted ones, or only the others.")
    var muted: Bool?

    @Flag(inversion: .prefixedNo, help: "Only ones with unread messages, or only the others.")
    var unread: Bool?

    func run(_ session: Session) async throws {
        let filter = ConversationFilter(isPinned: pinned, isMuted: muted, hasUnread: unread)
        var cursor = cursor
        repeat {
            let found = try await session.client.conversationPage(filter, limit: page.pageRows, cursor: cursor)
            try session.output.show(found.conversations, emptyText: "no conversations")
            cursor = found.nextCursor
        } while page.all && cursor != nil
        session.hintAtMore("--cursor", cursor)
    }
}

extension Session {
    /// Tells on standard error that a list goes on, and with which option: in words, or as an object for programs.
    func hintAtMore(_ option: String, _ place: String?) {
        guard let place else {
            return
        }
        guard output.isJSON else {
            return Diagnostics.write("there is more; hint: \(option) \(place), or --all")
        }
        var object = JSONObject()
        object.add("more", [option, place])
        Diagnostics.write(object)
    }
}
