import ArgumentParser
import StoreClient

struct MessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "Save, list, change and delete messages.",
        subcommands: [
            MessagesSaveCommand.self, MessagesListCommand.self, MessagesGetCommand.self, MessagesEditCommand.self,
            MessagesStatusCommand.self, MessagesMarkReadCommand.self, MessagesDeleteCommand.self,
            MessagesReactCommand.self, MessagesUnreactCommand.self, MessagesReactionsCommand.self,
            MessagesFollowCommand.self, MessagesImportCommand.self, MessagesExportCommand.self,
        ])
}

struct MessagesSaveCommand: ConversationNaming {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save a message; a new session id creates a conversation.",
        discussion: """
            Other users can see arguments in the list of processes; with '-' the text comes from standard input. If \
            the id exists, the message is replaced together with its attachments.
            """)

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var text: TextArgument
    @OptionGroup var global: GlobalOptions

    @Option(help: "Id of the message (default: a UUIDv7).")
    var id: String?

    @Option(help: ArgumentHelp("Session id of the sender.", valueName: "session"), completion: .live(.people))
    var sender = ""

    @Option(help: ArgumentHelp("Session id of the recipient.", valueName: "session"), completion: .live(.people))
    var recipient = ""

    @Option(help: ArgumentHelp("Time of the message (default: now): \(TimeOption.help).", valueName: "time"))
    var time: TimeOption?

    @Option(help: "Delivery status.")
    var status = WordOption<MessageStatus>(.pending)

    @Flag(help: "Save the message as sent from here (default: as incoming).")
    var outgoing = false

    @Flag(help: "Save the message as read.")
    var read = false

    @Option(help: ArgumentHelp("Kind of the message, a word of your choice.", valueName: "kind"))
    var kind = ""

    @Option(help: ArgumentHelp("Name of the sender when the message was sent.", valueName: "name"))
    var senderName = ""

    @OptionGroup var beside: BesideTextOptions
    @OptionGroup var metadata: MetadataOptions
    @OptionGroup var timer: TimerOptions

    @OptionGroup var attached: AttachOptions
    @OptionGroup var empty: EmptyInputOptions

    @Flag(help: "Keep the attachments of an existing message with this id.")
    var keepAttachments = false

    @Flag(help: "Also delete the draft of the conversation.")
    var clearDraft = false

    func validate() throws {
        guard !keepAttachments || attached.attach.isEmpty else {
            throw ValidationError("--keep-attachments and --attach cannot be combined")
        }
    }

    func run(_ session: Session) async throws {
        let id = id ?? UUIDv7().description
        var message = NewMessage(
            id: id, conversation: conversation.reference,
            text: try await readText(session.client), senderSessionID: sender, recipientSessionID: recipient,
            timestamp: time?.timestamp ?? .now,
            status: status.value, isOutgoing: outgoing, isRead: read,
            attachmentURL: beside.attachmentURL, attachmentType: beside.attachmentType,
            replyToMessageID: beside.replyTo, timer: timer.ofMessage)
        message.attachments = try await attached.attachments(session.client, allowsEmpty: empty.allowEmpty)
        message.keepsAttachments = keepAttachments
        (message.kind, message.senderName) = (kind, senderName)
        message.metadata = try metadata.read(allowsEmpty: empty.allowEmpty)
        try session.show(try await session.client.saveMessage(message, clearsDraft: clearDraft), name: id)
    }

    /// Reads the text. Empty standard input is rejected if it would replace an existing message, or a message that this
    /// user has no right to read.
    private func readText(_ client: StoreClient) async throws -> String {
        let content = try text.read(allowsEmpty: true)
        guard let id, text.isStandardInput, content.isEmpty, !empty.allowEmpty else { return content }
        do throws(StoreClientError) {
            _ = try await client.message(id)
        } catch {
            guard error.code == .permissionDenied else {
                guard error.reason == .messageNotFound else { throw error }
                return content
            }
        }
        throw EmptyInputOptions.refusal(of: "standard input")
    }
}

struct MessagesListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List messages of a conversation or of all, newest first.")

    @OptionGroup var conversation: OptionalConversationOption
    @OptionGroup var page: PageOptions
    @OptionGroup var columns: ColumnOptions<PlacedColumns<MessageRow>>
    @OptionGroup var filter: MessageFilterOptions
    @OptionGroup var global: GlobalOptions

    @Flag(help: "List the oldest messages first.")
    var oldestFirst = false

    @Option(
        help: ArgumentHelp(
            "Only messages older than the page that printed this cursor.", valueName: "cursor"))
    var before: String?

    @Option(
        help: ArgumentHelp(
            "Only messages newer than the page that printed this cursor.", valueName: "cursor"))
    var after: String?

    var subjects: [String] { conversation.subjects }

    func run(_ session: Session) async throws {
        let names = DisplayNames(session)
        if conversation.reference == nil {
            try await list(session) { try await names.placedRow($0) }
        } else {
            try await list(session) { try await names.row($0) }
        }
    }

    private func list<Row: Tabular>(_ session: Session, _ row: (Message) async throws -> Row) async throws {
        let listing = try Listing<Row>(session.output, columns.names, emptyText: "no messages")
        var query = MessageQuery(
            conversation: conversation.reference, order: oldestFirst ? .oldestFirst : .newestFirst,
            beforeCursor: before, afterCursor: after, filter: filter.filter)
        var hasMore = false
        try await page.eachPage { wanted in
            query.limit = wanted
            let found = try await session.client.messagePage(query)
            try await listing.show(found.messages, row)
            let next = query.next(after: found)
            query = next ?? query
            hasMore = next != nil
            return (found.messages.count, hasMore)
        }
        try listing.finish()
        let cursor = oldestFirst ? query.afterCursor : query.beforeCursor
        session.hintAtMore(oldestFirst ? "--after" : "--before", hasMore ? cursor : nil)
    }
}

struct MessagesGetCommand: MessageNaming {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Show a message.")

    @Argument(help: "Id of the message.", completion: .live(.messages))
    var id: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.message(id))
    }
}

struct MessagesEditCommand: MessageNaming {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Replace the text of a message and record the time of the edit.")

    @Argument(help: "Id of the message.", completion: .live(.messages))
    var id: String

    @OptionGroup var text: TextArgument
    @OptionGroup var empty: EmptyInputOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Time of the edit (default: now): \(TimeOption.help).", valueName: "time"))
    var time: TimeOption?

    func run(_ session: Session) async throws {
        try session.show(
            try await session.client.editMessage(
                id, text: try text.read(allowsEmpty: empty.allowEmpty), editedAt: time?.timestamp))
    }
}

struct MessagesStatusCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Set the delivery status of messages. If one of them does not exist, no message is changed.",
        usage: "ghoststorectl messages status <id> ... <status> [<options>]",
        discussion: "The status can also be the first argument.")

    @Argument(
        help: ArgumentHelp(
            "Ids of the messages, then pending, sent, delivered or failed.", valueName: "id ... status"),
        completion: .live(.messagesAndStatuses))
    var words: [String]

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { (try? parsed())?.ids ?? [] }

    func check() throws(CommandFailure) {
        _ = try parsed()
    }

    func run(_ session: Session) async throws {
        let (ids, status) = try parsed()
        try session.show(try await session.client.updateMessageStatus(ids, to: status))
    }

    private func parsed() throws(CommandFailure) -> (ids: [String], status: MessageStatus) {
        if words.count > 1, let status = words.last.flatMap(WordOption<MessageStatus>.init(argument:)) {
            return (words.dropLast(), status.value)
        }
        if words.count > 1, let status = words.first.flatMap(WordOption<MessageStatus>.init(argument:)) {
            return (Array(words.dropFirst()), status.value)
        }
        let known = WordOption<MessageStatus>.allValueStrings.joined(separator: ", ")
        throw CommandFailure(.usage, "give ids of messages and a status; hint: the status is one of \(known)")
    }
}

struct MessagesMarkReadCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "mark-read", abstract: "Mark messages as read.")

    @Argument(help: "Ids of the messages.", completion: .live(.messages))
    var ids: [String]

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { ids }

    func run(_ session: Session) async throws {
        try session.show(try await session.client.markMessagesRead(ids))
    }
}

struct MessagesDeleteCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete messages. If one of them does not exist, no message is deleted.")

    @Argument(help: "Ids of the messages.", completion: .live(.messages))
    var ids: [String]

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { ids }

    func run(_ session: Session) async throws {
        try session.show(try await session.client.deleteMessages(ids))
    }
}
