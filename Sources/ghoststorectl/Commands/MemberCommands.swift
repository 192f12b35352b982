import ArgumentParser
import StoreClient

struct ConversationsMembersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "members", abstract: "List, add, change and remove members of a conversation.",
        subcommands: [MembersListCommand.self, MembersSetCommand.self, MembersRemoveCommand.self])
}

struct MembersListCommand: ConversationNaming {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the members of a conversation, sorted by session id.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var list: ListOptions<ConversationMember>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try await list.show(session, emptyText: "no members") {
            session.client.conversationMembers(of: conversation.reference, from: $0)
        }
    }
}

struct MembersSetCommand: ConversationNaming {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Add a member, or replace the name and the role of a member.")

    @OptionGroup var conversation: ConversationOption

    @Argument(help: "Session id of the member.", completion: .live(.people))
    var member: String

    @Option(help: ArgumentHelp("Name of the member in the conversation.", valueName: "name"))
    var name = ""

    @Option(help: ArgumentHelp("Role of the member, a word of your choice.", valueName: "role"))
    var role = ""

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let member = ConversationMember(sessionID: self.member, name: name, role: role)
        try session.show(try await session.client.setConversationMembers([member], of: conversation.reference))
    }
}

struct MembersRemoveCommand: ConversationNaming {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove members from a conversation.")

    @OptionGroup var conversation: ConversationOption

    @Argument(help: "Session ids of the members.", completion: .live(.people))
    var members: [String]

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.removeConversationMembers(members, from: conversation.reference))
    }
}
