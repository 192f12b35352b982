import ArgumentParser
import StoreClient

struct ContactsSaveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Make a contact, or change what is given of one.")

    @Argument(help: "Session id of the contact, 1 to 256 bytes.")
    var session: String

    @OptionGroup var global: GlobalOptions

    @Option(help: "Id to give a new one; a UUIDv7 by default.")
    var id: String?

    @Option(help: "Its name; empty removes it.")
    var displayName: String?

    @Option(help: "Notes about it; empty removes them.")
    var notes: String?

    @Option(help: ArgumentHelp("A file that holds its avatar.", valueName: "file"), completion: .file())
    var avatarFile: String?

    @Flag(help: "Remove its avatar.")
    var removeAvatar = false

    @Flag(inversion: .prefixedNo, help: "Block it, or unblock it.")
    var blocked: Bool?

    @Flag(inversion: .prefixedNo, help: "Trust it, or trust it no more.")
    var trusted: Bool?

    func run(_ session: Session) async throws {
        let update = ContactUpdate(
            sessionID: self.session, id: id ?? UUIDv7().description, displayName: FieldUpdate(present: displayName),
            avatar: try AvatarFile.update(path: avatarFile, removes: removeAvatar),
            notes: FieldUpdate(present: notes), isBlocked: blocked, isTrusted: trusted)
        try session.show(try await session.client.saveContact(update))
    }
}
