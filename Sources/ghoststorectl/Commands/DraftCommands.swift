import ArgumentParser
import StoreClient

struct DraftsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drafts", abstract: "Drafts: what was written in a conversation and not sent.",
        subcommands: [
            DraftsSaveCommand.self, DraftsShowCommand.self, DraftsListCommand.self, DraftsDeleteCommand.self,
        ])
}

struct DraftsSaveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save a conversation's draft in the place of the one it has.",
        discussion: """
            A conversation has one draft; one that is empty in all its fields deletes it. Arguments can be seen by \
            other users in the list of processes: '-' as the text is standard input. The conversation is made when \
            there is none.
            """)

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var text: TextArgument
    @OptionGroup var global: GlobalOptions

    @OptionGroup var beside: BesideTextOptions
    @OptionGroup var attached: AttachOptions
    @OptionGroup var empty: EmptyInputOptions

    var subjects: [String] { [conversation.conversation] }

    func run(_ session: Session) async throws {
        let text = try text.read(allowsEmpty: empty.allowEmpty)
        let attachments = try await attached.attachments(session.client, allowsEmpty: empty.allowEmpty)
        try session.show(
            try await session.client.saveDraft(
                in: conversation.reference, text: text, attachmentURL: beside.attachmentURL,
                attachmentType: beside.attachmentType, replyToMessageID: beside.replyTo, attachments: attachments))
    }
}

struct DraftsShowCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a conversation's draft.",
        discussion: "Where it has none, exit status 2.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [conversation.conversation] }

    func run(_ session: Session) async throws {
        guard let draft = try await session.client.draft(in: conversation.reference) else {
            throw CommandFailure(.notFound, "the conversation has no draft; hint: ghoststorectl drafts list")
        }
        try session.output.show(draft)
    }
}

struct DraftsListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the drafts of all conversations, the one saved last first.")

    @OptionGroup var list: ListOptions<Draft>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try await list.show(session, emptyText: "no drafts") { session.client.drafts(from: $0) }
    }
}

struct DraftsDeleteCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a conversation's draft, if it has one.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [conversation.conversation] }

    func run(_ session: Session) async throws {
        try session.show(try await session.client.deleteDraft(in: conversation.reference))
    }
}
