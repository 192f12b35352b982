import ArgumentParser
import StoreClient

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search messages, contacts and conversations.",
        subcommands: [
            SearchMessagesCommand.self, SearchContactsCommand.self, SearchConversationsCommand.self,
            SearchRebuildCommand.self,
        ])
}

struct SearchMessagesCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "Find messages by their text, newest first or best first.",
        discussion: """
            All words of the query must occur in a message. "two words" in quotes must follow each other, and begin* \
            matches the beginning of a word. AND, OR, NOT and parentheses combine words. Upper and lower case and most \
            accents do not matter. Other users can see arguments in the list of processes; with '-' the query comes \
            from standard input. Put a query that begins with a minus sign after '--'.
            """)

    @Argument(help: "The query; '-' reads all of standard input.")
    var query: String

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp(
            "Search only the conversation with this session id; with --by-id, with this id.",
            valueName: "conversation"),
        completion: .live(.conversations))
    var conversation: String?

    @Flag(name: .customLong("by-id"), help: "The conversation is given by its id, not its session id.")
    var isByID = false

    @OptionGroup var page: PageOptions
    @OptionGroup var columns: ColumnOptions<FoundMessageRow>
    @OptionGroup var filter: MessageFilterOptions
    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "Only messages older than the page that printed this cursor.", valueName: "cursor"))
    var before: String?

    @Flag(help: "Rank the newest matches, at most 1,000, and show the most relevant ones first.")
    var best = false

    var subjects: [String] { conversation.map { [$0] } ?? [] }

    func validate() throws {
        guard conversation != nil || !isByID else {
            throw ValidationError("--by-id needs a conversation; hint: name it with --in")
        }
        guard !best || !page.all else {
            throw ValidationError("--best and --all cannot be combined; hint: use --limit 1000 instead of --all")
        }
    }

    func hint(for reason: StoreClientError.Reason) -> String? {
        reason == .searchIndexIncomplete ? "'ghoststorectl search rebuild' builds the index again" : nil
    }

    func run(_ session: Session) async throws {
        let listing = try Listing<FoundMessageRow>(session.output, columns.names, emptyText: "no messages")
        let names = DisplayNames(session)
        var search = MessageSearch(
            try Content.text(query, bytesMax: Self.queryBytesMax),
            in: conversation.map { isByID ? .id($0) : .sessionID($0) }, beforeCursor: before, filter: filter.filter,
            order: best ? .bestFirst : .newestFirst)
        var hasMore = false
        try await page.eachPage { wanted in
            search.limit = wanted
            let found = try await session.client.searchMessagePage(search)
            try await listing.show(found.messages) { try await names.row($0) }
            let next = search.next(after: found)
            search = next ?? search
            hasMore = next != nil
            // A page of the best results counts as complete, even if it has fewer messages than requested.
            let isChosen = best && !found.messages.isEmpty
            return (isChosen ? wanted : found.messages.count, hasMore)
        }
        try listing.finish()
        session.hintAtMore("--before", hasMore ? search.beforeCursor : nil, hasAll: !best)
    }

    /// The longest query that the daemon accepts, in bytes. A longer one is rejected before it is sent.
    fileprivate static let queryBytesMax = 4_096
}

struct SearchContactsCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts", abstract: "Find contacts by display name, session id and id.",
        discussion: """
            The query is written as for 'search messages', but its last word may be the beginning of a word: ann \
            finds Anna. Contacts are listed in the order of 'contacts list'.
            """)

    @Argument(help: "The query; '-' reads all of standard input.")
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
        commandName: "conversations", abstract: "Find conversations by display name, session id and id.",
        discussion: """
            The query is written as for 'search messages', but its last word may be the beginning of a word: ann \
            finds Anna. Conversations are listed in the order of 'conversations list'.
            """)

    @Argument(help: "The query; '-' reads all of standard input.")
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
        commandName: "rebuild", abstract: "Rebuild the search index from the messages.",
        discussion: """
            Use this command if 'check' or a search reports a damaged or incomplete index. While the index is rebuilt, \
            'search messages' works only in one conversation (--in), and all other calls work. If the work is \
            interrupted, the daemon continues it later.
            """)

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try await Interruption.withNotice("the daemon continues until the index is built") {
            try await session.withProgress("indexing", "messages") { progress in
                try await session.client.rebuildSearchIndex(progress: progress)
            }
        }
        try session.output.say("the search index is rebuilt", json: ["rebuilt": true])
    }
}
