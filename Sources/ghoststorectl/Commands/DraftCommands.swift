import ArgumentParser
import StoreClient

struct DraftsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drafts",
        abstract: "Save and show drafts: texts that are not sent yet, one for each conversation.",
        subcommands: [
            DraftsSaveCommand.self, DraftsShowCommand.self, DraftsListCommand.self, DraftsDeleteCommand.self,
        ])
}

struct DraftsSaveCommand: ConversationNaming {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save the draft of a conversation; it replaces the previous draft.",
        discussion: """
            A conversation has one draft. If all fields of the new draft are empty, the existing draft is deleted. \
            The conversation is created if it does not exist. Other users can see arguments in the list of processes; \
            with '-' the text comes from standard input.
            """)

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var text: TextArgument
    @OptionGroup var global: GlobalOptions

    @OptionGroup var beside: BesideTextOptions
    @OptionGroup var attached: AttachOptions
    @OptionGroup var empty: EmptyInputOptions

    func run(_ session: Session) async throws {
        let text = try text.read(allowsEmpty: empty.allowEmpty)
        let attachments = try await attached.attachments(session.client, allowsEmpty: empty.allowEmpty)
        try session.show(
            try await session.client.saveDraft(
                in: conversation.reference, text: text, attachmentURL: beside.attachmentURL,
                attachmentType: beside.attachmentType, replyToMessageID: beside.replyTo, attachments: attachments))
    }
}

struct DraftsShowCommand: ConversationNaming {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the draft of a conversation.",
        discussion: "Exits 2 if the conversation has no draft.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        guard let draft = try await session.client.draft(in: conversation.reference) else {
            throw CommandFailure(.notFound, "the conversation has no draft; hint: ghoststorectl drafts list")
        }
        try session.output.show(draft)
    }
}

struct DraftsListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the drafts of all conversations, the last saved first.")

    @OptionGroup var list: ListOptions<DraftRow>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let names = DisplayNames(session)
        try await list.show(session, emptyText: "no drafts", { try await names.row($0) }) {
            session.client.drafts(from: $0)
        }
    }
}

struct DraftsDeleteCommand: ConversationNaming {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete the draft of a conversation, if there is one.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.deleteDraft(in: conversation.reference))
    }
}
