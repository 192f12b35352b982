import ArgumentParser
import StoreClient

/// The arguments of commands that add or remove one reaction to a message.
struct ReactionArguments: ParsableArguments {
    @Argument(help: "Id of the message.", completion: .live(.messages))
    var id: String

    @Argument(help: "One emoji, or any other single character of at most 64 bytes.")
    var emoji: String

    @Option(
        help: ArgumentHelp("Session id of the person who reacts.", valueName: "session"), completion: .live(.people))
    var by: String
}

struct MessagesReactCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "react", abstract: "Add a reaction to a message.")

    @OptionGroup var reaction: ReactionArguments
    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [reaction.id] }

    func run(_ session: Session) async throws {
        try session.show(
            try await session.client.addReaction(reaction.emoji, to: reaction.id, by: reaction.by))
    }
}

struct MessagesUnreactCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "unreact", abstract: "Remove a reaction from a message, if it exists.")

    @OptionGroup var reaction: ReactionArguments
    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [reaction.id] }

    func run(_ session: Session) async throws {
        try session.show(
            try await session.client.removeReaction(reaction.emoji, from: reaction.id, by: reaction.by))
    }
}

struct MessagesReactionsCommand: MessageNaming {
    static let configuration = CommandConfiguration(
        commandName: "reactions", abstract: "List the reactions to a message in the order in which they were added.")

    @Argument(help: "Id of the message.", completion: .live(.messages))
    var id: String

    @OptionGroup var list: ListOptions<ReactionRow>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let names = DisplayNames(session)
        try await list.show(session, emptyText: "no reactions", { try await names.row($0) }) {
            session.client.reactions(to: id, from: $0)
        }
    }
}
