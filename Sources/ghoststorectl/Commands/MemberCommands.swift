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
        commandName: "set", abstract: "Add a member, or change the name and the role of a member.",
        discussion: "A member keeps the name or the role that is not given. An empty text removes it.")

    @OptionGroup var conversation: ConversationOption

    @Argument(help: "Session id of the member.", completion: .live(.people))
    var member: String

    @Option(help: ArgumentHelp("Name of the member in the conversation.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("Role of the member, a word of your choice.", valueName: "role"))
    var role: String?

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let stored = name == nil || role == nil ? try await storedMember(session.client) : nil
        let member = ConversationMember(
            sessionID: member, name: name ?? stored?.name ?? "", role: role ?? stored?.role ?? "")
        try session.show(try await session.client.setConversationMembers([member], of: conversation.reference))
    }

    /// Returns the member as the conversation has it; `nil` if it is no member.
    private func storedMember(_ client: StoreClient) async throws(StoreClientError) -> ConversationMember? {
        for try await stored in client.conversationMembers(of: conversation.reference)
        where ExactText.areEqual(stored.sessionID, member) {
            return stored
        }
        return nil
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
