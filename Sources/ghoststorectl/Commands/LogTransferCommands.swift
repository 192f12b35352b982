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
        let found = try await LogTransfer.export(log, session.client)
        var output = try OutputFile(file, replacesExisting: force)
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
            The whole file is checked first: a damaged one changes nothing, here or in the store. The log gets the \
            file's configuration; one that exists must have it already, and the messages go behind those it holds.
            """)

    /// A file is read whole; larger ones are not what the format is for.
    private static let fileBytesMax = 1 << 30

    @Argument(help: "Name of the log.", completion: .live(.logs))
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
        try session.output.say("\(Quantity.count(count, "message")) imported", json: ["messages": count])
    }
}

/// Between a log of the store and a CacheAdvance file.
enum LogTransfer {
    private static let pageMessages = 1_000
    /// Of one append: far below what a frame holds.
    private static let batchBytesMax = 4 << 20

    /// The log's messages as they are now. What is appended while it runs may be in the file or not; what is
    /// overwritten before it is read is not.
    static func export(_ name: String, _ client: StoreClient) async throws -> CacheAdvanceFile {
        let log = try await client.log(name)
        var file = CacheAdvanceFile(
            CacheAdvanceConfiguration(
                maximumBytes: log.configuration.maximumBytes,
                overwritesOldest: log.configuration.overwritesOldest))
        var last: UInt64 = 0
        var hasMore = true
        while hasMore {
            let page = try await client.logEntryPage(name, after: last, limit: pageMessages)
            for entry in page.entries {
                guard case .fits = file.append(entry.data) else {
                    throw CommandFailure(.internalFailure, "the log holds more than its file has room for")
                }
            }
            last = page.entries.last?.sequence ?? last
            hasMore = page.hasMore
        }
        return file
    }

    /// - Returns: how many messages were appended.
    static func `import`(_ file: CacheAdvanceFile, into name: String, _ client: StoreClient) async throws -> Int {
        let configuration = LogConfiguration(
            maximumBytes: file.configuration.maximumBytes,
            overwritesOldest: file.configuration.overwritesOldest)
        let log = try await client.openLog(name, configuration)
        guard log.configuration == configuration else {
            throw CommandFailure(
                .precondition, "the log exists with another configuration than the file; import it under another name")
        }
        var batch: [[UInt8]] = []
        var batchBytes = 0
        for message in file.messages {
            if !batch.isEmpty, batchBytes + message.count > batchBytesMax || batch.count == pageMessages {
                try await client.append(batch, toLog: name, expecting: configuration)
                (batch, batchBytes) = ([], 0)
            }
            batch.append(message)
            batchBytes += message.count
        }
        if !batch.isEmpty {
            try await client.append(batch, toLog: name, expecting: configuration)
        }
        return file.messageCount
    }
}
