import ArgumentParser
import StoreClient

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Full-text search.",
        subcommands: [
            SearchMessagesCommand.self, SearchContactsCommand.self, SearchConversationsCommand.self,
            SearchRebuildCommand.self,
        ])
}

struct SearchMessagesCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "Search for messages by what they say, newest or best first.",
        discussion: """
            The query is words that must all be there. "two words" in quotes follow each other, begin* is the \
            beginning of a word; AND, OR, NOT and parentheses join them. Case and most marks do not count. Arguments \
            can be seen by other users in the list of processes: '-' as the query is standard input. A query that \
            begins with a minus sign goes behind '--'.
            """)

    @Argument(help: "What to search for; '-' is standard input, to its end.")
    var query: String

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp(
            "Only the conversation with this session id, or with this id with --by-id.", valueName: "conversation"),
        completion: .live(.conversations))
    var conversation: String?

    @Flag(name: .customLong("by-id"), help: "The conversation is named by its id.")
    var isByID = false

    @OptionGroup var page: PageOptions
    @OptionGroup var columns: ColumnOptions<FoundMessageRow>
    @OptionGroup var filter: MessageFilterOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Only messages older than a page's place.", valueName: "cursor"))
    var before: String?

    @Flag(help: "Sort the newest 1,000 or so matches by how well they fit.")
    var best = false

    var subjects: [String] { conversation.map { [$0] } ?? [] }

    func validate() throws {
        guard conversation != nil || !isByID else {
            throw ValidationError("no conversation is named; hint: --by-id says how one is, --in which")
        }
        guard !best || !page.all else {
            throw ValidationError("--best is a choice and --all leaves nothing out; hint: --limit 1000 is the most")
        }
    }

    func hint(for reason: StoreClientError.Reason) -> String? {
        reason == .searchIndexIncomplete ? "'ghoststorectl search rebuild' makes the index anew" : nil
    }

    func run(_ session: Session) async throws {
        let listing = try Listing<FoundMessageRow>(session.output, columns.names, emptyText: "no messages")
        let names = ConversationNames(session.client)
        var search = MessageSearch(
            try Content.text(query, bytesMax: Self.queryBytesMax),
            in: conversation.map { isByID ? .id($0) : .sessionID($0) }, beforeCursor: before, filter: filter.filter,
            order: best ? .bestFirst : .newestFirst)
        var hasMore = false
        try await page.eachPage { wanted in
            search.limit = wanted
            let found = try await session.client.searchMessagePage(search)
            try listing.show(try await rows(found.messages, names, session.output))
            let next = search.next(after: found)
            search = next ?? search
            hasMore = next != nil
            // A page of the best is whole also with fewer than are wanted.
            let isChosen = best && !found.messages.isEmpty
            return (isChosen ? wanted : found.messages.count, hasMore)
        }
        try listing.finish()
        session.hintAtMore("--before", hasMore ? search.beforeCursor : nil, hasAll: !best)
    }

    /// Programs get the ids of conversations, which costs no further call.
    private func rows(
        _ found: [FoundMessage], _ names: ConversationNames, _ output: Output
    ) async throws -> [FoundMessageRow] {
        guard case .people = output.form else {
            return found.map { FoundMessageRow(found: $0, conversation: $0.message.conversationID) }
        }
        return try await names.rows(found)
    }

    /// The daemon takes no more; more is refused before it is sent.
    fileprivate static let queryBytesMax = 4_096
}

struct SearchContactsCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts", abstract: "Search for contacts by their names, session ids and ids.",
        discussion: """
            The query is that of 'search messages', but a word that it ends with may go on: ann finds Anna. Contacts \
            come in the order of 'contacts list'.
            """)

    @Argument(help: "What to search for; '-' is standard input, to its end.")
    var query: String

    @OptionGroup var list: ListOptions<Contact>
    @OptionGroup var filter: ContactFilterOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let query = try Content.text(query, bytesMax: SearchMessagesCommand.queryBytesMax)
        try await list.show(session, emptyText: "no contacts") {
            session.client.searchContacts(query, filter: filter.filter, from: $0)
        }
    }
}

struct SearchConversationsCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "conversations", abstract: "Search for conversations by their names, session ids and ids.",
        discussion: """
            The query is that of 'search messages', but a word that it ends with may go on: ann finds Anna. \
            Conversations come in the order of 'conversations list'.
            """)

    @Argument(help: "What to search for; '-' is standard input, to its end.")
    var query: String

    @OptionGroup var list: ListOptions<Conversation>
    @OptionGroup var filter: ConversationFilterOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let query = try Content.text(query, bytesMax: SearchMessagesCommand.queryBytesMax)
        try await list.show(session, emptyText: "no conversations") {
            session.client.searchConversations(query, filter: filter.filter, from: $0)
        }
    }
}

struct SearchRebuildCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild", abstract: "Make the search index anew from the messages.",
        discussion: """
            For an index that 'check' or a search complains of. The store goes on serving, but for searches in all \
            conversations. What is interrupted goes on by itself.
            """)

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try await Interruption.told("the daemon goes on with the index to its end") {
            try await session.withProgress("indexing", "messages") { progress in
                try await session.client.rebuildSearchIndex(progress: progress)
            }
        }
        try session.output.say("the search index is made anew", json: ["rebuilt": true])
    }
}
