import ArgumentParser
import Glibc
import StoreClient

struct MessagesImportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Save messages, conversations and contacts from JSON Lines.",
        discussion: """
            Each line is one JSON object, in the form that 'messages export' writes. A message has text and \
            conversation_session_id (or conversation_id). It may have \
            \(MessageLine.optionalNames.joined(separator: ", ")). The status is pending, sent, delivered or failed; \
            lifetime_from is sending or reading. A line with "kind": "conversation" or "kind": "contact" is a \
            conversation or a contact. A conversation has session_id, and may have \
            \(ConversationLine.optionalNames.joined(separator: ", ")); each of its members has session_id, and may \
            have name and role. A contact has session_id, and may have \
            \(ContactLine.optionalNames.joined(separator: ", ")). {"topic": …, "language": …, "turns": […]} is a \
            dialog: a conversation with its messages. To import attached files, use 'archive restore --json-lines'.

            If you import a file again, its messages get the content of the file again, and none is duplicated. A \
            message without id gets an id made from its text, sender, recipient, conversation and time, and from its \
            place among the lines with the same conversation and time (without a time: among equal lines). So equal \
            lines of a file are different messages, lines with the same time keep their order, and a line with another \
            text is another message. A dialog gets its id from its line's number and content.

            The retention of the conversations (keep_for_milliseconds, keep_count) is set after all lines are saved. \
            If the retention would delete messages of the file or of the store, the command says how many and asks on \
            the terminal; without a terminal it needs --yes.

            A malformed line ends the import with exit status 65. A line that the daemon refuses ends the import with \
            the exit status of that error. The error names the line, and says how much is in the store. Correct the \
            line without moving it, and import the file again.
            """)

    @Argument(help: "The file; '-' is standard input.", completion: .file())
    var file: String

    @Flag(help: "Read every line and change nothing; no daemon is needed.")
    var dryRun = false

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        guard dryRun else { return try await withSession(run) }
        let input = try InputFile(file)
        let reader = LineReader(descriptor: input.descriptor)
        let summary = try Importer.check(reader)
        let output = global.makeOutput()
        try output.say(
            "\(summary.counts) in \(Quantity.count(reader.lineNumber, "line")); nothing was changed",
            json: summary.json(lineCount: reader.lineNumber))
    }

    func run(_ session: Session) async throws {
        let input = try InputFile(file)
        let reader = LineReader(descriptor: input.descriptor)
        let importer = Importer(client: session.client, progress: session.global.progressBar("importing", .bytes))
        let totalBytes = input.bytes
        var (summary, rules) = try await Interruption.deferred("finishing the lines that were sent") {
            try await importer.run(reader, totalBytes: totalBytes)
        }
        try await rules.set(session.client, asks: !yes, &summary)
        try session.output.say(summary.sentence, json: summary.json(lineCount: reader.lineNumber))
    }
}

struct MessagesExportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write messages as JSON Lines.",
        discussion: """
            Each message is one line. Conversations come in the order of their session ids. The messages of each \
            conversation come oldest first. With --all there is also a line for each conversation and each contact. \
            Such a file can be imported into an empty store; an export of that store then gives the same file. A \
            message that is saved during an export may be missing. The file contains plain text.
            """)

    @OptionGroup var conversation: OptionalConversationOption
    @OptionGroup var global: GlobalOptions

    @Option(name: .shortAndLong, help: "The file to create; '-' is standard output, the default.", completion: .file())
    var output: String?

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(help: "Also write conversations and contacts.")
    var all = false

    @Flag(
        help: """
            Export only conversations that were imported from dialogs. Write one dialog per line, in the order of the \
            import.
            """)
    var dialogs = false

    @Flag(help: "Also write the times at which the store created and changed each record; an import ignores them.")
    var withStoreTimes = false

    var subjects: [String] { conversation.subjects }

    func validate() throws {
        guard !dialogs || (conversation.reference == nil && !all && !withStoreTimes) else {
            throw ValidationError("--dialogs cannot be combined with a conversation, --all or --with-store-times")
        }
    }

    func check() throws(CommandFailure) {
        if case .rows = global.form { throw Self.notInRows }
    }

    private static let notInRows = CommandFailure(
        .usage,
        "an export is always JSON Lines; hint: use --format json; for rows use "
            + "'ghoststorectl messages list CONVERSATION --all --format csv'")

    func run(_ session: Session) async throws {
        let file = try OutputFile(output ?? "-", replacesExisting: force)
        let lineCount = try await export(session, to: DescriptorWriter(descriptor: file.descriptor))
        try file.commit()
        guard let output, !file.isStandardOutput else { return }
        try session.output.say(
            "wrote \(Quantity.count(lineCount, "line")) to \(output)", json: ["file": output, "lines": lineCount])
    }

    /// - Returns: The number of lines written.
    private func export(_ session: Session, to writer: DescriptorWriter) async throws -> Int {
        let progress = session.global.progressBar("exporting", .count(of: "conversations"))
        defer { progress.finish() }
        var lineCount = 0
        let emit: (String) throws -> Void = {
            try writer.write($0 + "\n")
            lineCount += 1
        }
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
        return lineCount
    }
}
