import ArgumentParser
import Glibc
import StoreClient

struct MessagesExportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write messages as JSON Lines.",
        discussion: """
            A line a message, conversation by conversation in the order of their session ids, oldest first. With \
            --all also a line for each conversation and contact: imported into an empty store and exported again, it \
            is the same file. Messages saved meanwhile may or may not be in it. The file holds plain text.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(name: .shortAndLong, help: "The file, standard output by default.", completion: .file())
    var output: String?

    @Flag(help: "Replace a file that is there.")
    var force = false

    @Option(help: ArgumentHelp("Only the conversation with this session id.", valueName: "session"))
    var session: String?

    @Flag(help: "Write conversations and contacts too.")
    var all = false

    @Flag(help: "Write the conversations that came from dialog lines as such lines, in the order they came.")
    var dialogs = false

    @Flag(help: "Write when the store made and changed things too; an import does not use it.")
    var withStoreTimes = false

    func validate() throws {
        guard !dialogs || (session == nil && !all && !withStoreTimes) else {
            throw ValidationError("--dialogs goes with none of --session, --all and --with-store-times")
        }
    }

    func run(_ session: Session) async throws {
        guard let output else {
            try await export(session, to: DescriptorWriter(descriptor: STDOUT_FILENO))
            return
        }
        var file = try OutputFile(output, replacesExisting: force)
        try await export(session, to: DescriptorWriter(descriptor: file.descriptor))
        try file.commit()
    }

    private func export(_ session: Session, to writer: DescriptorWriter) async throws {
        let progress = session.global.progressBar("exporting")
        defer { progress.finish() }
        let emit: (String) throws -> Void = { try writer.write($0 + "\n") }
        if dialogs {
            try await DialogExporter(client: session.client, progress: progress).run(emit)
        } else {
            let options = Exporter.Options(includesAll: all, withStoreTimes: withStoreTimes)
            let exporter = Exporter(client: session.client, options: options, progress: progress)
            if let sessionID = self.session {
                try await exporter.export(.sessionID(sessionID), emit)
            } else {
                try await exporter.exportEverything(emit)
            }
        }
        try writer.flush()
    }
}
