import ArgumentParser
import Interchange
import StoreClient

struct BlobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blobs",
        abstract: "Write conversations to binary message files, plain or sealed, and read them back.",
        discussion: """
            A recipient has an X25519 key pair. Create it with `openssl genpkey -algorithm X25519 -out pair.pem`. \
            Write its public half, for --recipient, with `openssl pkey -in pair.pem -pubout -out public.pem`. Write \
            its secret half, for --key-file, with `openssl pkey -in pair.pem -outform DER | tail -c 32 > secret.key`.
            """,
        subcommands: [BlobsExportCommand.self, BlobsImportCommand.self, BlobsInspectCommand.self])
}

struct BlobsExportCommand: ConversationNaming {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a conversation, or a part of it, to a message file.",
        discussion: """
            The file contains the conversation at one moment, and appears only when it is complete. Unless you \
            seal it, it contains plain text. Times are rounded down to milliseconds.
            """)

    @OptionGroup var conversation: ConversationOption

    @Argument(help: "The file to create; '-' is standard output.", completion: .file())
    var file: String

    @OptionGroup var range: MessageRangeOptions

    @OptionGroup var sealing: BlobSealOptions

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let output = try OutputFile(file, replacesExisting: force)
        let filter = BlobFilter(
            from: range.from?.timestamp, until: range.until?.timestamp, senderSessionID: range.sender,
            isOutgoing: range.isOutgoing)
        let export = try await session.client.beginBlobExport(
            of: conversation.reference, filter: filter, seal: try sealing.read())
        let writer = DescriptorWriter(descriptor: output.descriptor)
        try await BlobTransfer(session).download(export, to: writer)
        try output.commit()
        await session.warnOfDamage(in: file)
        try session.output(beside: output).say(
            "wrote \(Quantity.count(export.messageCount, "message")) to \(file)",
            json: [
                "file": file, "messages": export.messageCount, "bytes": export.totalBytes, "is_sealed": sealing.isGiven,
            ])
    }
}

struct BlobsImportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Save the messages of a message file in a conversation.",
        usage: "ghoststorectl blobs import [<conversation>] <file> [<options>]",
        discussion: """
            If no conversation has the session id, the command creates one. If you name no conversation, the messages \
            are saved in blob-storage, the conversation that the library BlobStorage reads unless an application names \
            another one.

            The whole file is read and checked before the store is changed; an error names the malformed byte. If you \
            import the same file again, no message is saved twice. The file itself is never changed. For a sealed \
            file, the command asks for the passphrase, unless an option gives the passphrase or --key-file names the \
            secret key.
            """)

    /// The value of `BlobStorage.defaultSessionID`.
    private static let defaultConversation = "blob-storage"

    @Argument(
        help: "Session id of the conversation, or its id with --by-id (default: blob-storage).",
        completion: .live(.conversations))
    var conversation: String

    @Argument(help: "The file. It is read twice, so it cannot be '-'.", completion: .file())
    var file: String?

    @Flag(name: .customLong("by-id"), help: "The conversation is given by its id, not its session id.")
    var isByID = false

    @Option(
        help: ArgumentHelp(
            """
            Id of this import (default: the content id of the file, which --dry-run shows). With another id, the \
            messages of the same file are saved again as new messages.
            """,
            valueName: "name"))
    var importID: String?

    @Flag(help: "Read and check everything, and change nothing.")
    var dryRun = false

    @OptionGroup var secret: UnsealOptions
    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [file == nil ? Self.defaultConversation : conversation] }

    func validate() throws {
        guard file != nil || !isByID else { throw ValidationError("--by-id needs a conversation") }
    }

    private var reference: ConversationReference {
        guard file != nil else { return .sessionID(Self.defaultConversation) }
        return isByID ? .id(conversation) : .sessionID(conversation)
    }

    func run(_ session: Session) async throws {
        let file = file ?? conversation
        let transfer = BlobTransfer(session)
        var options = BlobImportOptions(
            conversation: reference, importID: importID, isDryRun: true)
        let opener = SealOpener(.messages, secret)
        let checked = try await transfer.upload(file, options, opener, label: "checking")
        guard !dryRun else {
            try session.output.say("\(file) is complete; nothing was changed", checked)
            return
        }
        options.isDryRun = false
        options.importID = importID ?? checked.contentID
        let importing = options
        let report = try await Interruption.withNotice(
            "some of the messages may be in the store; import the file again: no message is written twice"
        ) {
            try await transfer.upload(file, importing, opener, label: "importing")
        }
        try session.output.say("imported \(file)", report)
    }
}

struct BlobsInspectCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what a message file contains, and whether it is complete.",
        discussion: """
            A plain file is read as a whole, without a daemon. Only the header of a sealed file is shown. If you give \
            a secret (--passphrase asks for one), the daemon opens and checks the whole sealed file, and changes \
            nothing.
            """)

    @Argument(help: "The file. It is read twice, so it cannot be '-'.", completion: .file())
    var file: String

    @OptionGroup var secret: UnsealOptions
    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let output = global.makeOutput()
        if let header = try BlobFile.sealedHeader(of: file) {
            guard !secret.isGiven else {
                try await withSession(run)
                return
            }
            try output.show(SealedFileFacts(header: header))
        } else {
            try output.show(try PlainBlobFacts(reading: file))
        }
    }

    func run(_ session: Session) async throws {
        let opener = SealOpener(.messages, secret)
        let options = BlobImportOptions(isDryRun: true)
        try session.output.show(try await BlobTransfer(session).upload(file, options, opener, label: "checking"))
    }
}
