import ArgumentParser
import StoreClient

struct BlobsImportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Save the messages of a message file in a conversation.",
        discussion: """
            The whole file is read and checked before anything is changed; what is wrong with it is told with its \
            byte. \
            The same file imported again writes no message twice. The file itself is never touched. A sealed one is \
            opened with its passphrase, asked for unless given, or with --key-file.
            """)

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Session id of the conversation; created when new.", valueName: "session"))
    var conversation: String?

    @Option(name: .customLong("id"), help: ArgumentHelp("Id of the conversation instead.", valueName: "id"))
    var id: String?

    @Option(
        help: ArgumentHelp(
            "Names this import, instead of its content: under another name the same file is saved once more.",
            valueName: "name"))
    var importID: String?

    @Flag(help: "Read and check everything, change nothing.")
    var dryRun = false

    @OptionGroup var secret: BlobSecretOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard (conversation == nil) != (id == nil) else {
            throw ValidationError("name the conversation by --conversation or by --id, one of the two")
        }
    }

    func run(_ session: Session) async throws {
        let transfer = BlobTransfer(session)
        var options = BlobImportOptions(
            conversation: id.map { .id($0) } ?? .sessionID(conversation ?? ""), importID: importID, isDryRun: true)
        let opener = try BlobOpener(file, secret)
        let checked = try await transfer.upload(file, options, opener, label: "checking")
        guard !dryRun else {
            try session.output.show(checked)
            return
        }
        options.isDryRun = false
        options.importID = importID ?? checked.contentID
        try session.output.show(try await transfer.upload(file, options, opener, label: "importing"))
    }
}
