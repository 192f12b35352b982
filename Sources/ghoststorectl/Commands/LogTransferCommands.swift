import AppendLog
import ArgumentParser
import Interchange
import StoreClient

struct LogsExportCommand: LogNaming {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a log to a CacheAdvance file.",
        discussion: """
            The file has the configuration of the log and its messages, oldest first, and can be imported again. It \
            does not contain the metadata of the messages.
            """)

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @Argument(help: "The file to create; '-' is standard output.", completion: .file())
    var file: String

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let configuration = try await session.client.log(log).configuration
        guard let found = try await LogFiles.export(log, configuration, session.client) else {
            throw CommandFailure(
                .internalFailure,
                "the messages of the log do not fit into a file of \(configuration.maximumBytes) bytes, "
                    + "the maximum size of the log")
        }
        let output = try OutputFile(file, replacesExisting: force)
        let writer = DescriptorWriter(descriptor: output.descriptor)
        try writer.write(found.bytes)
        try writer.flush()
        try output.commit()
        try session.output(beside: output).say(
            "wrote \(Quantity.count(found.messageCount, "message")) to \(file)",
            json: ["messages": found.messageCount, "file": file])
    }
}

struct LogsImportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Append the messages of a CacheAdvance file to a log.",
        discussion: """
            The whole file is checked first. If it is damaged, or if the log has no room for all messages of the file, \
            nothing is changed. A new log gets the configuration in the file; an existing log must have the same \
            configuration. A file of 0 bytes contains no messages; an empty pipe is refused.
            """)

    /// The largest file. The whole file is read into memory, and the format is not meant for larger ones.
    private static let fileBytesMax = 1 << 30

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @Argument(help: "The file to read; '-' is standard input.", completion: .file())
    var file: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let input = try InputFile(file)
        let bytes = try input.readAll(bytesMax: Self.fileBytesMax)
        try input.refuseEmpty(bytes, hint: "the file of an exported log is not empty, even if the log is")
        let name = input.name
        let parsed: CacheAdvanceFile?
        do throws(InterchangeError) {
            parsed = try LogFiles.parse(bytes)
        } catch {
            throw CommandFailure(.damaged, "\(name) is not a complete CacheAdvance file: \(error)")
        }
        if let parsed {
            try await append(parsed, session.client)
        }
        let count = parsed?.messageCount ?? 0
        try session.output.say("imported \(Quantity.count(count, "message"))", json: ["messages": count])
    }

    private func append(_ file: CacheAdvanceFile, _ client: StoreClient) async throws {
        let configuration = LogConfiguration(file.configuration)
        let opened = try await client.openLog(log, configuration)
        guard opened.configuration == configuration else { throw opened.isMadeOtherwise }
        try await LogFiles.append(file.messages, to: log, configuration, client)
    }
}
