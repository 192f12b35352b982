import ArgumentParser
import StoreClient

/// The arguments that select one conversation, in the same form for every command.
struct ConversationOption: ParsableArguments {
    @Argument(
        help: "Session id of the conversation, or its id with --by-id.", completion: .live(.conversations))
    var conversation: String

    @Flag(name: .customLong("by-id"), help: "The conversation is given by its id, not its session id.")
    var isByID = false

    var reference: ConversationReference {
        isByID ? .id(conversation) : .sessionID(conversation)
    }
}

/// The arguments that select one conversation, or all conversations if they are not given.
struct OptionalConversationOption: ParsableArguments {
    @Argument(
        help: "Include only the conversation with this session id; with --by-id, with this id.",
        completion: .live(.conversations))
    var conversation: String?

    @Flag(name: .customLong("by-id"), help: "The conversation is given by its id, not its session id.")
    var isByID = false

    func validate() throws {
        guard conversation != nil || !isByID else {
            throw ValidationError("--by-id needs a conversation; hint: name it by its id")
        }
    }

    /// The names for a failure that says that the conversation does not exist.
    var subjects: [String] {
        conversation.map { [$0] } ?? []
    }

    /// The conversation; `nil` for all conversations.
    var reference: ConversationReference? {
        conversation.map { isByID ? .id($0) : .sessionID($0) }
    }
}

/// The properties of a message or draft other than its text.
struct BesideTextOptions: ParsableArguments {
    @Option(help: ArgumentHelp("URL of an attachment.", valueName: "url"))
    var attachmentURL: String?

    @Option(help: ArgumentHelp("MIME type of the attachment at the URL of --attachment-url.", valueName: "type"))
    var attachmentType: String?

    @Option(
        help: ArgumentHelp("Id of the message that the new message answers.", valueName: "id"),
        completion: .live(.messages))
    var replyTo: String?
}

/// The range of messages by time, sender and direction.
struct MessageRangeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only messages at or after this time: \(TimeOption.help).", valueName: "time"))
    var from: TimeOption?

    @Option(
        name: [.customLong("until"), .customLong("to")],
        help: ArgumentHelp("Only messages before this time.", valueName: "time"))
    var until: TimeOption?

    @Option(help: ArgumentHelp("Only messages of this sender.", valueName: "session"), completion: .live(.people))
    var sender: String?

    @Flag(help: "Only incoming messages.")
    var incoming = false

    @Flag(help: "Only outgoing messages.")
    var outgoing = false

    func validate() throws {
        guard !incoming || !outgoing else { throw ValidationError("--incoming and --outgoing cannot be combined") }
    }

    /// The direction; `nil` for both.
    var isOutgoing: Bool? {
        incoming ? false : outgoing ? true : nil
    }
}

/// The filter for messages. A message must meet every given condition.
struct MessageFilterOptions: ParsableArguments {
    @OptionGroup var range: MessageRangeOptions

    @Option(help: "Only messages of this kind; an empty text means without a kind.")
    var kind: String?

    @Option(help: "Only messages with this status.")
    var status: WordOption<MessageStatus>?

    @Flag(inversion: .prefixedNo, help: "Only messages with an attachment, or only messages without one.")
    var attachment: Bool?

    @Flag(inversion: .prefixedNo, help: "Only unread messages, or only read messages.")
    var unread: Bool?

    var filter: MessageFilter {
        MessageFilter(
            from: range.from?.timestamp, until: range.until?.timestamp, senderSessionID: range.sender,
            isOutgoing: range.isOutgoing, status: status?.value, hasAttachment: attachment,
            isRead: unread.map { !$0 }, kind: kind)
    }
}

/// The text of a message: the argument itself, or standard input for `-`.
struct TextArgument: ParsableArguments {
    /// The daemon accepts 1 MiB. A longer text is rejected before it is sent.
    private static let bytesMax = 1 << 20

    @Argument(help: "The text; '-' reads all of standard input.")
    var text: String

    var isStandardInput: Bool { text == "-" }

    /// - Parameter allowsEmpty: False to reject an empty standard input.
    func read(allowsEmpty: Bool) throws(CommandFailure) -> String {
        try Content.text(text, bytesMax: Self.bytesMax, allowsEmpty: allowsEmpty)
    }
}
