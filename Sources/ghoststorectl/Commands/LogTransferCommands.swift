import AppendLog
import ArgumentParser
import Interchange
import StoreClient

struct LogsExportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a log to a CacheAdvance file.",
        discussion: "The file has the log's configuration and its messages, oldest first, and can be imported again.")

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @Argument(help: "The file to make; '-' is standard output.", completion: .file())
    var file: String

    @Flag(help: "Replace a file that is there.")
    var force = false

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [log] }

    func run(_ session: Session) async throws {
        let configuration = try await session.client.log(log).configuration
        guard let found = try await LogFiles.export(log, configuration, session.client) else {
            throw CommandFailure(.internalFailure, "the log holds more than its file has room for")
        }
        let output = try OutputFile(file, replacesExisting: force)
        let writer = DescriptorWriter(descriptor: output.descriptor)
        try writer.write(found.bytes)
        try writer.flush()
        try output.commit()
        try session.output(beside: output).say(
            "\(Quantity.count(found.messageCount, "message")) in \(file)",
            json: ["messages": found.messageCount, "file": file])
    }
}

struct LogsImportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Read a CacheAdvance file into a log.",
        discussion: """
            The whole file is checked first: a damaged one changes nothing, here or in the store, and neither does one \
            whose messages the log cannot take all. The log gets the file's configuration; one that exists must have \
            it already, and the messages go behind those it holds. A file of no bytes holds none.
            """)

    /// A file is read whole; larger ones are not what the format is for.
    private static let fileBytesMax = 1 << 30

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @Argument(help: "The file to read; '-' is standard input.", completion: .file())
    var file: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let input = try InputFile(file)
        let bytes = try input.readAll(bytesMax: Self.fileBytesMax)
        try input.refuseEmpty(bytes, hint: "the file of a log has bytes even if the log has no messages")
        let name = input.name
        let parsed: CacheAdvanceFile?
        do throws(InterchangeError) {
            parsed = try LogFiles.parse(bytes)
        } catch {
            throw CommandFailure(.damaged, "\(name) is not a whole CacheAdvance file: \(error)")
        }
        if let parsed {
            try await append(parsed, session.client)
        }
        let count = parsed?.messageCount ?? 0
        try session.output.say("\(Quantity.count(count, "message")) imported", json: ["messages": count])
    }

    private func append(_ file: CacheAdvanceFile, _ client: StoreClient) async throws {
        let configuration = LogConfiguration(file.configuration)
        let opened = try await client.openLog(log, configuration)
        guard opened.configuration == configuration else { throw opened.isMadeOtherwise }
        try await LogFiles.append(file.messages, to: log, configuration, client)
    }
}
