import ArgumentParser
import StoreClient

struct MessagesFollowCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Show messages with their text as they are saved.",
        discussion: """
            Without a conversation, the messages of all conversations are shown. Edits, deletions, and changes of \
            status are not shown; 'watch' shows them. \(Following.helpText)
            """)

    /// The largest number of earlier messages, which are requested with one call.
    private static let lastMax = 1_000

    @OptionGroup var conversation: OptionalConversationOption
    @OptionGroup var history: HistoryOptions
    @OptionGroup var count: CountOption
    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "First show this many of the newest messages of the conversation, 0 to 1,000.", valueName: "number"))
    var last = 0

    @Option(help: ArgumentHelp("Begin with the messages that were saved after this revision.", valueName: "revision"))
    var after: UInt64?

    var endsWithTimeout: Bool { true }

    var subjects: [String] { conversation.subjects }

    func check() throws(CommandFailure) {
        guard (0...Self.lastMax).contains(last), last == 0 || (conversation.reference != nil && after == nil) else {
            throw CommandFailure(
                .usage, "--last takes 0 to \(Self.lastMax), needs a conversation, and cannot be combined with --after")
        }
    }

    func run(_ session: Session) async throws {
        let client = history.client(session)
        let names = DisplayNames(session)
        var shown: Set<String> = []
        var start = after
        if let reference = conversation.reference, last > 0 {
            start = try await client.status().revision
            let newest = try await client.messagePage(MessageQuery(conversation: reference, limit: last))
            for message in newest.messages.reversed() {
                shown.insert(message.id)
                try await show(message, names, session)
            }
        }
        let following = RevisionFollowing(after: start, history: history.history?.id, count: count.count)
        try await following.forEach(session) { (revision, history) throws(StoreClientError) in
            try await session.client.newMessages(in: conversation.reference, after: revision, of: history)
        } show: { message in
            guard !shown.contains(message.id) else { return false }
            try await show(message, names, session)
            return true
        }
    }

    private func show(_ message: Message, _ names: DisplayNames, _ session: Session) async throws {
        let sessionID = message.isOutgoing ? message.recipientSessionID : message.senderSessionID
        // The message is printed even if the daemon stopped or the store was locked before the name was read.
        let person = (try? await names.person(sessionID, in: message.conversationID).text) ?? sessionID
        let arrow = message.isOutgoing ? "→" : "←"
        let way = person.isEmpty ? arrow : "\(arrow) \(person):"
        try session.output.tell(
            "\(session.text(message.timestamp))  \(way) \(message.text)", message.json, Message.record)
    }
}
