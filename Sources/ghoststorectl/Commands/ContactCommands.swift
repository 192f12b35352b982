import ArgumentParser
import StoreClient

struct ContactsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts", abstract: "List, change and block contacts.",
        subcommands: [
            ContactsListCommand.self, ContactsGetCommand.self, ContactsSaveCommand.self, ContactsDeleteCommand.self,
            ContactsBlockCommand.self, ContactsUnblockCommand.self,
        ])
}

struct ContactsListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List contacts, sorted by name; contacts without a name come last.")

    @OptionGroup var list: ListOptions<Contact>
    @OptionGroup var global: GlobalOptions

    @OptionGroup var filter: ContactFilterOptions

    func run(_ session: Session) async throws {
        try await list.show(session, emptyText: "no contacts") { session.client.contacts(filter.filter, from: $0) }
    }
}

struct ContactsGetCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Show a contact.")

    @Argument(help: "Session id of the contact.", completion: .live(.contacts))
    var session: String

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Also fetch the avatar; --json prints it in base64.")
    var avatar = false

    var subjects: [String] { [session] }

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.contact(sessionID: self.session, includeAvatar: avatar))
    }
}

struct ContactsSaveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Create a contact, or change the given fields of an existing contact.")

    /// The largest input. The daemon accepts 64 KiB; far larger input is rejected before it is sent.
    private static let notesBytesMax = 1 << 20

    @Argument(help: "Session id of the contact, 1 to 256 bytes.", completion: .live(.people))
    var session: String

    @OptionGroup var avatar: AvatarOptions
    @OptionGroup var empty: EmptyInputOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: "Id of a new contact (default: a UUIDv7).")
    var id: String?

    @Option(help: "Display name; an empty text removes it.")
    var displayName: String?

    @Option(help: "Notes; an empty text removes them, and '-' is standard input.")
    var notes: String?

    @OptionGroup var metadata: MetadataUpdateOptions

    @Flag(inversion: .prefixedNo, help: "Block or unblock the contact.")
    var blocked: Bool?

    @Flag(inversion: .prefixedNo, help: "Mark the contact as trusted, or as not trusted.")
    var trusted: Bool?

    func run(_ session: Session) async throws {
        let notes = try notes.map { text throws(CommandFailure) in
            try Content.text(text, bytesMax: Self.notesBytesMax, allowsEmpty: empty.allowEmpty)
        }
        let update = ContactUpdate(
            sessionID: self.session, id: id ?? UUIDv7().description, displayName: FieldUpdate(present: displayName),
            avatar: try avatar.update(allowsEmpty: empty.allowEmpty),
            notes: FieldUpdate(present: notes), isBlocked: blocked, isTrusted: trusted,
            metadata: try metadata.update(allowsEmpty: empty.allowEmpty))
        try session.show(try await session.client.saveContact(update))
    }
}

struct ContactsDeleteCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete a contact.")

    @Argument(help: "Session id of the contact.", completion: .live(.contacts))
    var session: String

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [session] }

    func run(_ session: Session) async throws {
        try session.show(try await session.client.deleteContact(sessionID: self.session))
    }
}

struct ContactsBlockCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Block a contact. If the contact does not exist, it is created.")

    @Argument(help: "Session id of the contact.", completion: .live(.people))
    var session: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.blockContact(sessionID: self.session))
    }
}

struct ContactsUnblockCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "unblock", abstract: "Unblock a contact.")

    @Argument(help: "Session id of the contact.", completion: .live(.contacts))
    var session: String

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [session] }

    func run(_ session: Session) async throws {
        try session.show(try await session.client.unblockContact(sessionID: self.session))
    }
}
