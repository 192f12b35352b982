import ArgumentParser
import StoreClient

struct LogsAppendCommand: LogNaming {
    static let configuration = CommandConfiguration(
        commandName: "append", abstract: "Append messages to a log.",
        discussion: """
            Each argument is one message; '-' is one message with everything on standard input. Without arguments, \
            each line of standard input is one message, without its newline. An empty line is refused, because a \
            message must have at least one byte. With --metadata, every message gets the same data.

            Messages are appended in parts of up to 256 messages and 4 MiB. Each part is appended whole or not at all. \
            If a part fails, the error says how many messages were appended.
            """)

    private static let inputBytesMax = 8 << 20

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @Argument(help: "The messages, as text; '-' is standard input.")
    var messages: [String] = []

    @OptionGroup var metadata: MetadataOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let metadata = try metadata.read(allowsEmpty: false, hint: "without --metadata, the messages have no such data")
        var parts = LogParts(log, metadata, session.client)
        if messages.isEmpty {
            try await appendLines(&parts)
        } else {
            let contents = try messages.map { word throws(CommandFailure) in
                try Content.bytes(word, bytesMax: Self.inputBytesMax)
            }
            for content in contents {
                try await parts.add(content)
            }
            try await parts.finish()
        }
        guard let appended = parts.appended else { throw CommandFailure(.badData, "there is nothing to append") }
        let numbers =
            appended.count == 1
            ? "sequence number \(appended.lowerBound)"
            : "sequence numbers \(appended.lowerBound) to \(appended.upperBound)"
        let others = appended.count - parts.count
        try session.output.say(
            "appended \(Quantity.count(parts.count, "message")): \(numbers)"
                + (others == 0 ? "" : "; other clients have \(others) of these numbers"),
            json: [
                "first_sequence": appended.lowerBound, "last_sequence": appended.upperBound, "messages": parts.count,
            ])
    }

    private func appendLines(_ parts: inout LogParts) async throws {
        let input = try InputFile("-")
        let reader = LineReader(descriptor: input.descriptor, keepsCarriageReturns: true)
        while let line = try parts.reading({ () throws(CommandFailure) in try reader.next() }) {
            guard !line.isEmpty else {
                throw parts.ended(
                    CommandFailure(
                        .badData, "line \(reader.lineNumber) is empty; hint: a message must have at least one byte"))
            }
            try await parts.add(line)
        }
        try await parts.finish()
    }
}

/// Appends messages to an append log in parts that each fit into one request.
private struct LogParts {
    private static let messagesMax = StoreClient.entriesPerRequestMax
    private static let bytesMax = 4 << 20

    private let log: String
    /// The metadata of every message.
    private let metadata: Metadata?
    private let client: StoreClient
    private var part: [[UInt8]] = []
    private var partBytes = 0
    private(set) var count = 0
    /// The range from the first to the last sequence number of the appended messages. It can contain messages of other
    /// clients, appended between two parts.
    private(set) var appended: ClosedRange<UInt64>?

    init(_ log: String, _ metadata: Metadata?, _ client: StoreClient) {
        (self.log, self.metadata, self.client) = (log, metadata, client)
    }

    mutating func add(_ message: [UInt8]) async throws {
        let bytes = message.count + (metadata?.data.count ?? 0)
        if part.count == Self.messagesMax || (!part.isEmpty && partBytes + bytes > Self.bytesMax) {
            try await finish()
        }
        part.append(message)
        partBytes += bytes
    }

    /// Appends the messages that `add` has collected and not sent yet.
    mutating func finish() async throws {
        guard !part.isEmpty else { return }
        do throws(StoreClientError) {
            let metadata = metadata.map { Array(repeating: $0, count: part.count) } ?? []
            let sequences = try await client.append(part, metadata: metadata, toLog: log).sequences
            appended = (appended?.lowerBound ?? sequences.lowerBound)...sequences.upperBound
        } catch {
            guard count > 0 else { throw error }
            throw ended(FailureMapping.failure(of: error))
        }
        count += part.count
        (part, partBytes) = ([], 0)
    }

    /// Runs a read. If it fails, the failure says how many messages are appended.
    func reading(_ read: () throws(CommandFailure) -> [UInt8]?) throws(CommandFailure) -> [UInt8]? {
        do throws(CommandFailure) {
            return try read()
        } catch {
            throw ended(error)
        }
    }

    /// Returns the failure with the number of appended messages.
    func ended(_ failure: CommandFailure) -> CommandFailure {
        let rest = failure.hint.map { "; hint: \($0)" } ?? ""
        return failure.saying { _ in
            let appended =
                switch count {
                case 0: "nothing was appended"
                case 1: "the first message has been appended"
                default: "the first \(count) messages have been appended"
                }
            return "\(failure.cause); \(appended)\(rest)"
        }
    }
}

struct LogsReadCommand: LogNaming {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Show messages of a log, oldest first.",
        discussion: """
            Each line has the sequence number and the text of a message; content that is not UTF-8 is shown in base64. \
            If a message has metadata, their size and type follow; --json has the metadata in base64. With --raw only \
            the messages are printed, as they are, each followed by a newline. With --all-devices, the line of a \
            message from another device begins with the number of that device.
            """)

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @OptionGroup var devices: LogDevicesOptions
    @OptionGroup var page: PageOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Only messages with a greater sequence number.", valueName: "sequence"))
    var after: UInt64 = 0

    @Flag(help: "Print only the messages.")
    var raw = false

    func check() throws(CommandFailure) {
        if raw { try global.refuseQuiet(with: "--raw") }
    }

    func run(_ session: Session) async throws {
        var (last, place, hasMore) = (after, try devices.start(), false)
        try await page.eachPage { wanted in
            let entries: [LogEntry]
            if devices.allDevices {
                let found = try await session.client.logEntryPageOfAllDevices(log, after: place, limit: wanted)
                (entries, place, hasMore) = (found.entries, found.place, found.hasMore)
            } else {
                let found = try await session.client.logEntryPage(log, after: last, limit: wanted)
                (entries, hasMore) = (found.entries, found.hasMore)
                last = entries.last?.sequence ?? last
            }
            for entry in entries {
                try session.output.show(entry, isRaw: raw)
            }
            return (entries.count, hasMore)
        }
        let (option, next) = devices.allDevices ? ("--all-devices --place", place?.text) : ("--after", String(last))
        session.hintAtMore(option, hasMore ? next : nil)
    }
}

struct LogsFollowCommand: LogNaming {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Show messages of a log as they are appended.",
        discussion: Following.helpText)

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @OptionGroup var devices: LogDevicesOptions
    @OptionGroup var history: HistoryOptions
    @OptionGroup var count: CountOption
    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "Begin after this sequence number, 0 for the oldest message (default: only new messages).",
            valueName: "sequence"))
    var after: UInt64?

    @Flag(help: "Print only the messages.")
    var raw = false

    var endsWithTimeout: Bool { true }

    func check() throws(CommandFailure) {
        if raw { try global.refuseQuiet(with: "--raw") }
    }

    func run(_ session: Session) async throws {
        let client = history.client(session)
        var remaining = count.count ?? .max
        /// - Returns: False when enough entries have been printed.
        func show(_ entry: LogEntry) throws -> Bool {
            try session.output.show(entry, isRaw: raw)
            remaining -= 1
            return remaining > 0
        }
        let following = Following(session: session)
        if devices.allDevices {
            // Without a given position, the command starts at the oldest entry.
            var place = try devices.start()
            return try await following.runAcrossLocks {
                for try await page in client.followLogOfAllDevices(log, after: place) {
                    for entry in page.entries {
                        guard try show(entry) else { return }
                    }
                    place = page.place
                }
            }
        }
        // The page after the greatest number is empty, but its answer contains the identity and the last number of the
        // append log.
        let start = try await client.logEntryPage(log, after: .max, limit: 1)
        var last = after ?? start.log.sequences?.upperBound ?? 0
        try await following.runAcrossLocks {
            for try await entry in client.followLog(log, after: last, of: start.identity) {
                last = entry.sequence
                guard try show(entry) else { return }
            }
        }
    }
}
