import ArgumentParser
import Interchange
import StoreClient

struct LogsExportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a log to a CacheAdvance file.",
        discussion: "The file has the log's configuration and its messages, oldest first, and can be imported again.")

    @Argument(help: "Name of the log.")
    var log: String

    @Argument(help: "The file to make.", completion: .file())
    var file: String

    @Flag(help: "Replace a file that is there.")
    var force = false

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let found = try await LogTransfer.export(log, session.client)
        var output = try OutputFile(file, replacesExisting: force)
        let writer = DescriptorWriter(descriptor: output.descriptor)
        try writer.write(found.bytes)
        try writer.flush()
        try output.commit()
        var json = JSONObject()
        json.add("messages", found.messageCount)
        json.add("file", file)
        try session.output.say("\(found.messageCount) messages are in \(file)", json: json)
    }
}

struct LogsImportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Read a CacheAdvance file into a log.",
        discussion: """
            The whole file is checked first: a damaged one changes nothing, here or in the store. The log gets the \
            file's configuration; one that exists must have it already, and the messages go behind those it holds.
            """)

    /// A file is read whole; larger ones are not what the format is for.
    private static let fileBytesMax = 1 << 30

    @Argument(help: "Name of the log.")
    var log: String

    @Argument(help: ArgumentHelp("The file to read; '-' reads standard input.", valueName: "file"))
    var file: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let input = try InputFile(file)
        let bytes = try input.readAll(bytesMax: Self.fileBytesMax, named: file)
        let parsed: CacheAdvanceFile
        do throws(InterchangeError) {
            parsed = try CacheAdvanceFile(parsing: bytes)
        } catch {
            throw CommandFailure(.damaged, "\(file) is not a whole CacheAdvance file: \(error)")
        }
        let count = try await LogTransfer.import(parsed, into: log, session.client)
        var json = JSONObject()
        json.add("messages", count)
        try session.output.say("\(count) messages imported", json: json)
    }
}
