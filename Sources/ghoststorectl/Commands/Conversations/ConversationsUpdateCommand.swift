import ArgumentParser
import StoreClient

struct ConversationsUpdateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Change a conversation's name, avatar, pin or mute.")

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var global: GlobalOptions

    @Option(help: "Its name; empty removes it.")
    var displayName: String?

    @Option(help: ArgumentHelp("A file that holds its avatar.", valueName: "file"), completion: .file())
    var avatarFile: String?

    @Flag(help: "Remove its avatar.")
    var removeAvatar = false

    @Flag(inversion: .prefixedNo, help: "Pin it, or unpin it.")
    var pinned: Bool?

    @Flag(inversion: .prefixedNo, help: "Mute it, or unmute it.")
    var muted: Bool?

    func validate() throws {
        guard displayName != nil || avatarFile != nil || removeAvatar || pinned != nil || muted != nil else {
            throw ValidationError("nothing to change is given")
        }
    }

    func run(_ session: Session) async throws {
        let update = ConversationUpdate(
            displayName: FieldUpdate(present: displayName),
            avatar: try AvatarFile.update(path: avatarFile, removes: removeAvatar), isPinned: pinned, isMuted: muted)
        try session.show(try await session.client.updateConversation(conversation.reference, update))
    }
}
