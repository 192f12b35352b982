import ArgumentParser
import StoreClient

struct ConversationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conversations", abstract: "List, create, change and delete conversations.",
        subcommands: [
            ConversationsListCommand.self, ConversationsGetCommand.self, ConversationsCreateCommand.self,
            ConversationsUpdateCommand.self, ConversationsMarkReadCommand.self, ConversationsDeleteCommand.self,
            ConversationsMembersCommand.self,
        ])
}

struct ConversationsListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List conversations: pinned first, then by newest activity.")

    @OptionGroup var list: ListOptions<Conversation>
    @OptionGroup var global: GlobalOptions

    @OptionGroup var filter: ConversationFilterOptions

    func run(_ session: Session) async throws {
        try await list.show(session, emptyText: "no conversations") {
            session.client.conversations(filter.filter, from: $0)
        }
    }
}

struct ConversationsGetCommand: ConversationNaming {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Show a conversation.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Also fetch the avatar; --json prints it in base64.")
    var avatar = false

    func run(_ session: Session) async throws {
        try session.output.show(
            try await session.client.conversation(conversation.reference, includeAvatar: avatar))
    }
}

struct ConversationsCreateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a conversation, or show the existing one.")

    @Argument(help: "Session id of the other party, 1 to 256 bytes.", completion: .live(.people))
    var session: String

    @Option(help: "Id of a new conversation (default: a UUIDv7).")
    var id: String?

    @Option(help: "Display name of a new conversation.")
    var displayName: String?

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(
            try await session.client.getOrCreateConversation(
                sessionID: self.session, id: id, displayName: displayName))
    }
}

struct ConversationsUpdateCommand: ConversationNaming {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Change the properties of a conversation.",
        discussion: """
            --expire-after applies to messages that are saved later, unless they have a timer of their own. --keep-for \
            and --keep-count apply to existing messages too. If a new rule would delete messages, the command says how \
            many and asks on the terminal; without a terminal it needs --yes.
            """)

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var avatar: AvatarOptions
    @OptionGroup var empty: EmptyInputOptions
    @OptionGroup var retention: RetentionOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: "Display name; an empty text removes it.")
    var displayName: String?

    @Option(help: "Kind, a word of your choice; an empty text removes it.")
    var kind: String?

    @OptionGroup var metadata: MetadataUpdateOptions

    @Flag(inversion: .prefixedNo, help: "Pin or unpin the conversation.")
    var pinned: Bool?

    @Flag(inversion: .prefixedNo, help: "Mute or unmute the conversation.")
    var muted: Bool?

    @Flag(help: "Only print how many messages would be deleted.")
    var dryRun = false

    @Flag(help: "Do not ask.")
    var yes = false

    func check() throws(CommandFailure) {
        let isNamed = displayName != nil || kind != nil || avatar.isGiven || metadata.isGiven
        guard isNamed || pinned != nil || muted != nil || retention.isGiven else {
            throw CommandFailure(.usage, "no change is given; hint: ghoststorectl help conversations update")
        }
    }

    func run(_ session: Session) async throws {
        var update = ConversationUpdate(
            displayName: FieldUpdate(present: displayName),
            avatar: try avatar.update(allowsEmpty: empty.allowEmpty), isPinned: pinned, isMuted: muted,
            kind: FieldUpdate(present: kind), metadata: try metadata.update(allowsEmpty: empty.allowEmpty))
        retention.apply(to: &update)
        let client = session.client
        if dryRun {
            let preview = try await client.previewUpdate(of: conversation.reference, update)
            var json = preview.json
            json.add("dry_run", true)
            json.add("deleted_messages", preview.deletedCount)
            return try session.output.say(
                "would delete \(Quantity.count(preview.deletedCount, "message"))", json: json)
        }
        var deletedCount = 0
        if retention.mayDelete {
            deletedCount = try await client.previewUpdate(of: conversation.reference, update).deletedCount
        }
        let messages = Quantity.count(deletedCount, "message")
        if deletedCount > 0, !yes {
            try Confirmation.ask(
                """
                The new retention deletes \(messages) of \(conversation.conversation) now, and later every message \
                that exceeds it. Continue?
                """,
                word: "delete")
        }
        let commit = try await client.updateConversation(conversation.reference, update)
        guard deletedCount > 0 else { return try session.show(commit) }
        var json = commit.json
        json.add("deleted_messages", deletedCount)
        try session.output.say("\(commit.sentence); deletes \(messages)", json: json)
    }
}

struct ConversationsMarkReadCommand: ConversationNaming {
    static let configuration = CommandConfiguration(
        commandName: "mark-read", abstract: "Mark every message of a conversation as read.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.markConversationRead(conversation.reference))
    }
}

struct ConversationsDeleteCommand: ConversationNaming {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a conversation with its messages, members and draft.",
        discussion: "The command asks on the terminal; without a terminal it needs --yes. This cannot be undone.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Do not ask.")
    var yes = false

    func run(_ session: Session) async throws {
        let messages = try await messages(session.client)
        if !yes {
            try Confirmation.ask("Delete \(conversation.conversation) and its \(messages)?", word: "delete")
        }
        let commit = try await session.client.deleteConversation(conversation.reference)
        try session.output.say(
            "deleted the conversation and its \(messages) at revision \(commit.revision)", json: commit.json)
    }

    /// Returns the number of messages in words. If the user has no right to read messages, returns only "messages",
    /// because deleting a conversation needs a different right.
    private func messages(_ client: StoreClient) async throws(StoreClientError) -> String {
        do throws(StoreClientError) {
            return Quantity.count(try await client.conversation(conversation.reference).messageCount, "message")
        } catch {
            guard error.code == .permissionDenied else { throw error }
            return "messages"
        }
    }
}
