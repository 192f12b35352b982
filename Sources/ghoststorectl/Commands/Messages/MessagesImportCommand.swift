import ArgumentParser

struct MessagesImportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Save messages, conversations and contacts from JSON Lines.",
        discussion: """
            Takes what 'messages export' writes, and dialogs: {"topic": …, "language": …, "turns": […]}, each line a \
            conversation. Importing the same file again updates and never duplicates. A malformed line ends the \
            import with exit status 65 and its number; the lines before it are in the store.
            """)

    @Argument(help: "The file; '-' is standard input.", completion: .file())
    var file: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let input = try InputFile(file)
        let reader = LineReader(descriptor: input.descriptor)
        let importer = Importer(client: session.client, progress: session.global.progressBar("importing"))
        let summary = try await importer.run(reader, totalBytes: input.bytes)
        try session.output.say(summary.sentence, json: summary.json(lineCount: reader.lineNumber))
    }
}
