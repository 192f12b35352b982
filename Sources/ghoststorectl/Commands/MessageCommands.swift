import ArgumentParser
import StoreClient

struct MessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "Messages.",
        subcommands: [
            MessagesSaveCommand.self, MessagesListCommand.self, MessagesGetCommand.self, MessagesEditCommand.self,
            MessagesStatusCommand.self, MessagesMarkReadCommand.self, MessagesDeleteCommand.self,
            MessagesReactCommand.self, MessagesUnreactCommand.self, MessagesReactionsCommand.self,
            MessagesFollowCommand.self, MessagesImportCommand.self, MessagesExportCommand.self,
        ])
}

struct MessagesSaveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save a message. Its conversation is made when there is none.",
        discussion: """
            Arguments can be seen by other users in the list of processes: '-' as the text is standard \
            input. Saving an id that exists replaces the message with what it has attached.
            """)

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var text: TextArgument
    @OptionGroup var global: GlobalOptions

    @Option(help: "Id of the message; a UUIDv7 by default.")
    var id: String?

    @Option(help: ArgumentHelp("Session id of the sender.", valueName: "session"), completion: .live(.people))
    var sender = ""

    @Option(help: ArgumentHelp("Session id of the recipient.", valueName: "session"), completion: .live(.people))
    var recipient = ""

    @Option(help: ArgumentHelp("Its time, now by default: \(TimeOption.help).", valueName: "time"))
    var time: TimeOption?

    @Option(help: "How far it has come.")
    var status = StatusOption(.pending)

    @Flag(help: "It was sent from here; incoming by default.")
    var outgoing = false

    @Flag(help: "It has been read.")
    var read = false

    @OptionGroup var beside: BesideTextOptions
    @OptionGroup var timer: TimerOptions

    @OptionGroup var attached: AttachOptions
    @OptionGroup var empty: EmptyInputOptions

    @Flag(help: "Leave a message of this id what it has attached.")
    var keepAttachments = false

    @Flag(help: "Delete the conversation's draft with it.")
    var clearDraft = false

    var subjects: [String] { [conversation.conversation] }

    func validate() throws {
        guard !keepAttachments || attached.attach.isEmpty else {
            throw ValidationError("--keep-attachments leaves what is there, --attach takes its place")
        }
    }

    func run(_ session: Session) async throws {
        var message = NewMessage(
            id: id ?? UUIDv7().description, conversation: conversation.reference,
            text: try await readText(session.client), senderSessionID: sender, recipientSessionID: recipient,
            timestamp: time?.timestamp ?? .now,
            status: status.status, isOutgoing: outgoing, isRead: read,
            attachmentURL: beside.attachmentURL, attachmentType: beside.attachmentType,
            replyToMessageID: beside.replyTo, timer: timer.ofMessage)
        message.attachments = try await attached.attachments(session.client, allowsEmpty: empty.allowEmpty)
        message.keepsAttachments = keepAttachments
        try session.show(try await session.client.saveMessage(message, clearsDraft: clearDraft))
    }

    /// Standard input that is empty replaces no message, and none that this user has no right to see.
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
        commandName: "list", abstract: "List a conversation's messages, newest first.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var page: PageOptions
    @OptionGroup var columns: ColumnOptions<Message>
    @OptionGroup var filter: MessageFilterOptions
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Oldest first.")
    var oldestFirst = false

    @Option(help: ArgumentHelp("Only messages older than a page's place.", valueName: "cursor"))
    var before: String?

    @Option(help: ArgumentHelp("Only messages newer than a page's place.", valueName: "cursor"))
    var after: String?

    var subjects: [String] { [conversation.conversation] }

    func run(_ session: Session) async throws {
        let listing = try Listing<Message>(session.output, columns.names, emptyText: "no messages")
        var query = MessageQuery(
            conversation: conversation.reference, order: oldestFirst ? .oldestFirst : .newestFirst,
            beforeCursor: before, afterCursor: after, filter: filter.filter)
        var hasMore = false
        try await page.eachPage { wanted in
            query.limit = wanted
            let found = try await session.client.messagePage(query)
            try listing.show(found.messages)
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

struct MessagesGetCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Show a message.")

    @Argument(help: "Id of the message.", completion: .live(.messages))
    var id: String

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [id] }

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.message(id))
    }
}

struct MessagesEditCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Replace a message's text and keep when that was.")

    @Argument(help: "Id of the message.", completion: .live(.messages))
    var id: String

    @OptionGroup var text: TextArgument
    @OptionGroup var empty: EmptyInputOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("When, now by default: \(TimeOption.help).", valueName: "time"))
    var time: TimeOption?

    var subjects: [String] { [id] }

    func run(_ session: Session) async throws {
        try session.show(
            try await session.client.editMessage(
                id, text: try text.read(allowsEmpty: empty.allowEmpty), editedAt: time?.timestamp))
    }
}

struct MessagesStatusCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say how far messages have come: all of them or none.",
        usage: "ghoststorectl messages status <id> ... <status> [<options>]",
        discussion: "The status may also be the first word.")

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
        if words.count > 1, let status = words.last.flatMap(StatusOption.init(argument:)) {
            return (words.dropLast(), status.status)
        }
        if words.count > 1, let status = words.first.flatMap(StatusOption.init(argument:)) {
            return (Array(words.dropFirst()), status.status)
        }
        let known = StatusOption.allValueStrings.joined(separator: ", ")
        throw CommandFailure(.usage, "ids of messages and a status are wanted; hint: the status is one of \(known)")
    }
}

struct MessagesMarkReadCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "mark-read", abstract: "Mark messages read.")

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
        commandName: "delete", abstract: "Delete messages: all of them, or none when one does not exist.")

    @Argument(help: "Ids of the messages.", completion: .live(.messages))
    var ids: [String]

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { ids }

    func run(_ session: Session) async throws {
        try session.show(try await session.client.deleteMessages(ids))
    }
}
