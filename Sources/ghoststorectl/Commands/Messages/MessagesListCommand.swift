import ArgumentParser
import StoreClient

struct MessagesListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a conversation's messages, newest first.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var page: PageOptions
    @OptionGroup var filter: MessageFilterOptions
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Oldest first.")
    var oldestFirst = false

    @Option(help: ArgumentHelp("Only messages older than a page's place.", valueName: "cursor"))
    var before: String?

    @Option(help: ArgumentHelp("Only messages newer than a page's place.", valueName: "cursor"))
    var after: String?

    func run(_ session: Session) async throws {
        var query: MessageQuery? = MessageQuery(
            conversation: conversation.reference, limit: page.pageRows,
            order: oldestFirst ? .oldestFirst : .newestFirst, beforeCursor: before, afterCursor: after,
            filter: filter.filter)
        repeat {
            guard let asked = query else {
                break
            }
            let found = try await session.client.messagePage(asked)
            try session.output.show(found.messages, emptyText: "no messages")
            query = asked.next(after: found)
        } while page.all
        let cursor = oldestFirst ? query?.afterCursor : query?.beforeCursor
        session.hintAtMore(oldestFirst ? "--after" : "--before", cursor)
    }
}
