import ArgumentParser
import StoreClient

struct AttachmentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attachments", abstract: "Read the files attached to messages.",
        discussion: "Use 'messages save --attach' or 'drafts save --attach' to attach files.",
        subcommands: [AttachmentsListCommand.self, AttachmentsGetCommand.self, AttachmentsUsageCommand.self])
}

struct AttachmentsListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the attachments of all messages, largest first.",
        discussion: """
            The size is the size of the content, also if the content was evicted. A content that several messages have \
            is listed for each of them. With a conversation, its attachments are listed, newest first; with --message, \
            the attachments of one message, by position.
            """)

    @OptionGroup var conversation: OptionalConversationOption

    @Option(
        help: ArgumentHelp(
            "List the attachments of the message with this id. Do not name a conversation then.", valueName: "id"),
        completion: .live(.messages))
    var message: String?

    @OptionGroup var list: ListOptions<PlacedColumns<ListedAttachment>>
    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp("Only attachments whose type begins with this text, such as image/.", valueName: "prefix"))
    var mimeType = ""

    var subjects: [String] { message.map { [$0] } ?? conversation.subjects }

    func check() throws(CommandFailure) {
        _ = try owner()
    }

    func run(_ session: Session) async throws {
        let owner = try owner()
        let attachments = { session.client.attachments(of: owner, mimeTypePrefix: mimeType, from: $0) }
        guard conversation.reference == nil else {
            return try await list.show(session, emptyText: "no attachments", attachments)
        }
        let names = DisplayNames(session)
        try await list.show(session, emptyText: "no attachments", { try await names.row($0) }, attachments)
    }

    /// Returns the message or conversation; `nil` for all messages.
    private func owner() throws(CommandFailure) -> AttachmentOwner? {
        switch (conversation.reference, message) {
        case (let reference?, nil): return .conversation(reference)
        case (nil, let id?): return .message(id)
        case (nil, nil): return nil
        case (.some, .some):
            throw CommandFailure(.usage, "name a conversation, or a message with --message ID, but not both")
        }
    }
}

struct AttachmentsGetCommand: MessageNaming {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Write the content of an attachment to a file of this machine.",
        discussion: "The file appears only when it is complete. Only the owner of the file can read it.")

    @Argument(help: "Id of the message.", completion: .live(.messages))
    var id: String

    @Argument(help: "Position of the attachment in the message, counted from 0.")
    var position: Int

    @Argument(help: "The file to create; '-' is standard output.", completion: .file())
    var file: String

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(help: "Write the thumbnail instead of the content.")
    var thumbnail = false

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let output = try OutputFile(file, replacesExisting: force)
        let writer = DescriptorWriter(descriptor: output.descriptor)
        let bar = global.progressBar("getting", .bytes)
        defer { bar.finish() }
        var done: UInt64 = 0
        if thumbnail {
            let bytes = try await thumbnailBytes(session.client)
            try writer.write(bytes)
            done = UInt64(bytes.count)
        } else {
            for try await piece in session.client.attachmentPieces(of: id, at: position) {
                try writer.write(piece)
                done += UInt64(piece.count)
                bar.update(done: done, total: nil)
            }
        }
        try writer.flush()
        try output.commit()
        bar.finish()
        try session.output(beside: output).say(
            "wrote \(Quantity.bytes(done)) to \(file)", json: ["file": file, "bytes": done])
    }

    private func thumbnailBytes(_ client: StoreClient) async throws -> [UInt8] {
        for try await listed in client.attachments(of: .message(id), withThumbnails: true)
        where listed.position == position {
            guard !listed.thumbnail.isEmpty else { throw CommandFailure(.notFound, "the attachment has no thumbnail") }
            return listed.thumbnail
        }
        throw CommandFailure(.notFound, "the message has no attachment at this position")
    }
}

struct AttachmentsUsageCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage",
        abstract: "Show the size of all attachments, and the size of those with a URL to fetch them again.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.attachmentUsage())
    }
}
