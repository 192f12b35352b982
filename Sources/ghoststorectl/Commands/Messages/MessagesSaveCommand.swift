import ArgumentParser
import StoreClient

struct MessagesSaveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save a message. Its conversation is made when there is none.",
        discussion: """
            Arguments can be seen by other users in the list of processes: '-' as the text reads it from standard \
            input. Saving an id that exists replaces the message.
            """)

    @OptionGroup var text: TextArgument
    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Session id of the conversation.", valueName: "session"))
    var session: String?

    @Option(name: .customLong("conversation-id"), help: ArgumentHelp("Its id instead.", valueName: "id"))
    var conversationID: String?

    @Option(help: "Id of the message; a UUIDv7 by default.")
    var id: String?

    @Option(help: ArgumentHelp("Session id of the sender.", valueName: "session"))
    var sender = ""

    @Option(help: ArgumentHelp("Session id of the recipient.", valueName: "session"))
    var recipient = ""

    @Option(help: ArgumentHelp("Its time, now by default: \(TimeOption.help).", valueName: "time"))
    var time: TimeOption?

    @Option(help: "How far it has come.")
    var status = StatusOption(.pending)

    @Flag(help: "It was sent from here; incoming by default.")
    var outgoing = false

    @Flag(help: "It has been read.")
    var read = false

    @Option(help: ArgumentHelp("Where its attachment is.", valueName: "url"))
    var attachmentURL: String?

    @Option(help: ArgumentHelp("Type of its attachment.", valueName: "type"))
    var attachmentType: String?

    @Option(help: ArgumentHelp("Id of the message it answers.", valueName: "id"))
    var replyTo: String?

    func validate() throws {
        guard (session == nil) != (conversationID == nil) else {
            throw ValidationError("name the conversation by --session or by --conversation-id, one of the two")
        }
    }

    func run(_ session: Session) async throws {
        let message = NewMessage(
            id: id ?? UUIDv7().description, conversation: conversation, text: try text.read(),
            senderSessionID: sender, recipientSessionID: recipient, timestamp: time?.timestamp ?? .now,
            status: status.status, isOutgoing: outgoing, isRead: read, attachmentURL: attachmentURL,
            attachmentType: attachmentType, replyToMessageID: replyTo)
        try session.show(try await session.client.saveMessage(message))
    }

    private var conversation: ConversationReference {
        conversationID.map { .id($0) } ?? .sessionID(session ?? "")
    }
}
