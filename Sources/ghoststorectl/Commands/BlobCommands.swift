import ArgumentParser
import Interchange
import StoreClient

struct BlobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blobs", abstract: "Conversations as binary message files, plain or sealed.",
        discussion: """
            A recipient's key pair is an X25519 one: `openssl genpkey -algorithm X25519 -out pair.pem` makes it, \
            `openssl pkey -in pair.pem -pubout -out public.pem` its public half for --recipient, and \
            `openssl pkey -in pair.pem -outform DER | tail -c 32 > secret.key` its secret half for --key-file.
            """,
        subcommands: [BlobsExportCommand.self, BlobsImportCommand.self, BlobsInspectCommand.self])
}

struct BlobsExportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a conversation, or a part of it, as a message file.",
        discussion: """
            The file shows the conversation as it was at one moment, and appears whole or not at all. Unless it is \
            sealed, it holds plain text. Times lose what is below the millisecond.
            """)

    @OptionGroup var conversation: ConversationOption

    @Argument(help: "The file; '-' is standard output.", completion: .file())
    var file: String

    @OptionGroup var range: MessageRangeOptions

    @OptionGroup var sealing: BlobSealOptions

    var subjects: [String] { [conversation.conversation] }

    @Flag(help: "Replace a file that is there.")
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
            "\(Quantity.count(export.messageCount, "message")) in \(file)",
            json: [
                "file": file, "messages": export.messageCount, "bytes": export.totalBytes, "is_sealed": sealing.isGiven,
            ])
    }
}

struct BlobsImportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Save the messages of a message file in a conversation; a new session id makes one.",
        usage: "ghoststorectl blobs import [<conversation>] <file> [<options>]",
        discussion: """
            Without a conversation the messages go to blob-storage, which the library BlobStorage reads unless an \
            application names another conversation.

            The whole file is read and checked before anything is changed; what is wrong with it is told with its \
            byte. The same file imported again writes no message twice. The file itself is never touched. A sealed \
            one is opened with its passphrase, asked for unless given, or with --key-file.
            """)

    /// `BlobStorage.defaultSessionID`.
    private static let defaultConversation = "blob-storage"

    @Argument(
        help: "Session id of the conversation, or its id with --by-id; without one: blob-storage.",
        completion: .live(.conversations))
    var conversation: String

    @Argument(help: "The file; it is read twice, so not '-'.", completion: .file())
    var file: String?

    @Flag(name: .customLong("by-id"), help: "The conversation is named by its id.")
    var isByID = false

    @Option(
        help: ArgumentHelp(
            "Names this import, instead of its content: under another name the same file is saved once more.",
            valueName: "name"))
    var importID: String?

    @Flag(help: "Read and check everything, change nothing.")
    var dryRun = false

    @OptionGroup var secret: UnsealOptions
    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [file == nil ? Self.defaultConversation : conversation] }

    func validate() throws {
        guard file != nil || !isByID else {
            throw ValidationError("no conversation is named, and --by-id is for its id")
        }
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
            try session.output.say("\(file) is whole; nothing was changed", checked)
            return
        }
        options.isDryRun = false
        options.importID = importID ?? checked.contentID
        let importing = options
        let report = try await Interruption.told(
            "a part of the messages may be in the store; importing the file again writes none twice"
        ) {
            try await transfer.upload(file, importing, opener, label: "importing")
        }
        try session.output.say("\(file) is imported", report)
    }
}

struct BlobsInspectCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Tell what a message file holds, and whether it is whole.",
        discussion: """
            A plain file is read here, all of it; no daemon is needed. Of a sealed one the header is told; with a \
            secret (--passphrase asks for one) the daemon opens and checks all of it too, and changes nothing.
            """)

    @Argument(help: "The file; it is read twice, so not '-'.", completion: .file())
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
