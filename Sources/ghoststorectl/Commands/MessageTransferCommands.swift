import ArgumentParser
import Glibc
import StoreClient

struct MessagesImportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Save messages, conversations and contacts from JSON Lines.",
        discussion: """
            Each line is one JSON object, as 'messages export' writes them. A message has text and \
            conversation_session_id (or conversation_id); it may have id, sender_session_id, recipient_session_id, \
            timestamp_microseconds, status (pending, sent, delivered or failed), is_outgoing, is_read, \
            attachment_url, attachment_type, reply_to_message_id, edited_at_microseconds, and lifetime_milliseconds \
            with lifetime_from (sending or reading). A line with "kind": "conversation" or "kind": "contact" is one \
            of those. {"topic": …, "language": …, "turns": […]} is a conversation with its messages. Attached files \
            come with 'archive restore --json-lines'.

            Importing a file again changes its messages back and duplicates none. A message without id gets one from \
            its text, sender, recipient, conversation, time and position: equal lines of a file are different \
            messages, lines of one time keep the order of the file, and a line with another text is another message. \
            A dialog gets its id from its line's number and content.

            The retention of the conversations (keep_for_milliseconds, keep_count) is set after all lines. If it \
            deletes messages, of the file or of the store, the command says how many and asks on the terminal; \
            without a terminal it needs --yes.

            A malformed line ends the import with exit status 65, and a line that the daemon refuses with the status \
            of the refusal. The error names the line, and says how much is in the store. Correct the line, keep its \
            position, and import the file again.
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
        var (summary, rules) = try await Interruption.deferred("finishing what is on its way") {
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

    func check() throws(CommandFailure) {
        if case .csv? = global.format { throw Self.notInRows }
        if case .tsv? = global.format { throw Self.notInRows }
    }

    private static let notInRows = CommandFailure(
        .usage, "an export is JSON Lines; hint: 'ghoststorectl messages list --all --format csv' prints rows")

    func run(_ session: Session) async throws {
        let file = try OutputFile(output ?? "-", replacesExisting: force)
        let lineCount = try await export(session, to: DescriptorWriter(descriptor: file.descriptor))
        try file.commit()
        guard let output, !file.isStandardOutput else { return }
        try session.output.say(
            "\(Quantity.count(lineCount, "line")) in \(output)", json: ["file": output, "lines": lineCount])
    }

    /// - Returns: how many lines were written.
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
