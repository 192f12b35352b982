import ArgumentParser
import Glibc
import StoreClient

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
        let importer = Importer(client: session.client, progress: session.global.progressBar("importing", .bytes))
        let totalBytes = input.bytes
        try await Interruption.deferred("finishing what is on its way") {
            let summary = try await importer.run(reader, totalBytes: totalBytes)
            try session.output.say(summary.sentence, json: summary.json(lineCount: reader.lineNumber))
        }
    }
}

struct MessagesExportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write messages as JSON Lines.",
        discussion: """
            A line a message, conversation by conversation in the order of their session ids, oldest first. With \
            --all also a line for each conversation and contact: imported into an empty store and exported again, it \
            is the same file. Messages saved meanwhile may or may not be in it. The file holds plain text.
            """)

    @OptionGroup var conversation: OptionalConversationOption
    @OptionGroup var global: GlobalOptions

    @Option(name: .shortAndLong, help: "The file; standard output by default, and for '-'.", completion: .file())
    var output: String?

    @Flag(help: "Replace a file that is there.")
    var force = false

    @Flag(help: "Write conversations and contacts too.")
    var all = false

    @Flag(help: "Write the conversations that came from dialog lines as such lines, in the order they came.")
    var dialogs = false

    @Flag(help: "Write when the store made and changed things too; an import does not use it.")
    var withStoreTimes = false

    var subjects: [String] { conversation.subjects }

    func validate() throws {
        guard !dialogs || (conversation.reference == nil && !all && !withStoreTimes) else {
            throw ValidationError("--dialogs goes with neither a conversation, --all nor --with-store-times")
        }
    }

    func run(_ session: Session) async throws {
        let file = try OutputFile(output ?? "-", replacesExisting: force)
        try await export(session, to: DescriptorWriter(descriptor: file.descriptor))
        try file.commit()
    }

    private func export(_ session: Session, to writer: DescriptorWriter) async throws {
        let progress = session.global.progressBar("exporting", .count(of: "conversations"))
        defer { progress.finish() }
        let emit: (String) throws -> Void = { try writer.write($0 + "\n") }
        if dialogs {
            try await DialogExporter(client: session.client, progress: progress).run(emit)
        } else {
            let options = Exporter.Options(includesAll: all, withStoreTimes: withStoreTimes)
            let exporter = Exporter(client: session.client, options: options, progress: progress)
            if let reference = conversation.reference {
                try await exporter.export(reference, emit)
            } else {
                try await exporter.exportEverything(emit)
            }
        }
        try writer.flush()
    }
}
