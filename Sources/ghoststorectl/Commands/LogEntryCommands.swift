import ArgumentParser
import StoreClient

struct LogsAppendCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "append", abstract: "Append messages to a log: all of them or none.",
        discussion: """
            Each argument is one message, and '-' is one of all that standard input holds. Without an argument each \
            line of standard input is one, without its newline; a line that is empty is refused, since a message has \
            at least one byte.
            """)

    private static let messagesMax = StoreClient.entriesPerRequestMax
    private static let inputBytesMax = 8 << 20

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @Argument(help: "The messages, as text; '-' is standard input.")
    var messages: [String] = []

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [log] }

    func run(_ session: Session) async throws {
        let found =
            messages.isEmpty
            ? try Self.lines()
            : try messages.map { word throws(CommandFailure) in
                try Content.bytes(word, bytesMax: Self.inputBytesMax)
            }
        guard !found.isEmpty else { throw CommandFailure(.badData, "there is nothing to append") }
        guard found.count <= Self.messagesMax else {
            throw CommandFailure(
                .badData,
                "there are \(found.count) messages; hint: at most \(Self.messagesMax) go at once, append them in parts")
        }
        let appended = try await session.client.append(found, toLog: log)
        let numbers =
            appended.sequences.count == 1
            ? "message \(appended.sequences.lowerBound)"
            : "messages \(appended.sequences.lowerBound) to \(appended.sequences.upperBound)"
        try session.output.say(
            "appended \(numbers)",
            json: ["first_sequence": appended.sequences.lowerBound, "last_sequence": appended.sequences.upperBound])
    }

    private static func lines() throws(CommandFailure) -> [[UInt8]] {
        let bytes = try InputFile("-").readAll(bytesMax: inputBytesMax)
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true {
            // What is behind the last newline is no line.
            lines.removeLast()
        }
        if let index = lines.firstIndex(where: \.isEmpty) {
            throw CommandFailure(.badData, "line \(index + 1) is empty; hint: a message has at least one byte")
        }
        return lines.map { Array($0) }
    }
}

struct LogsReadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Show messages of a log, oldest first.",
        discussion: """
            A line each: its sequence number and its text, in base64 what is not UTF-8. --raw prints the messages \
            alone, as they are, each with a newline behind it. --all-devices shows those of other devices with the \
            device's number before them.
            """)

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @OptionGroup var devices: LogDevicesOptions
    @OptionGroup var page: PageOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Only messages with a greater sequence number.", valueName: "sequence"))
    var after: UInt64 = 0

    @Flag(help: "Print the messages and nothing else.")
    var raw = false

    var subjects: [String] { [log] }

    func run(_ session: Session) async throws {
        guard !devices.allDevices else { return try await readAllDevices(session) }
        var last = after
        var hasMore = false
        try await page.eachPage { wanted in
            let found = try await session.client.logEntryPage(log, after: last, limit: wanted)
            for entry in found.entries {
                try session.output.show(entry, isRaw: raw)
            }
            last = found.entries.last?.sequence ?? last
            hasMore = found.hasMore
            return (found.entries.count, hasMore)
        }
        session.hintAtMore("--after", hasMore ? String(last) : nil)
    }

    private func readAllDevices(_ session: Session) async throws {
        var place = try devices.start()
        var hasMore = false
        try await page.eachPage { wanted in
            let found = try await session.client.logEntryPageOfAllDevices(log, after: place, limit: wanted)
            for entry in found.entries {
                try session.output.show(entry, isRaw: raw)
            }
            place = found.place
            hasMore = found.hasMore
            return (found.entries.count, hasMore)
        }
        session.hintAtMore("--all-devices --place", hasMore ? place?.text : nil)
    }
}

struct LogsFollowCommand: ClientCommand {
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
            "Start with the message after this one; 0 is the oldest. By default only new ones.", valueName: "sequence"))
    var after: UInt64?

    @Flag(help: "Print the messages and nothing else.")
    var raw = false

    var endsWithTimeout: Bool { true }

    var subjects: [String] { [log] }

    func run(_ session: Session) async throws {
        guard !devices.allDevices else { return try await followAllDevices(session) }
        // Nothing is behind the greatest number: this tells what log it is, and how far it goes.
        let client = history.client(session)
        let start = try await client.logEntryPage(log, after: .max, limit: 1)
        var last = after ?? start.log.sequences?.upperBound ?? 0
        var remaining = count.count ?? .max
        let following = Following(session: session)
        try await following.run {
            try await following.acrossLocks(hasBegun: { true }) {
                for try await entry in client.followLog(log, after: last, of: start.identity) {
                    last = entry.sequence
                    try session.output.show(entry, isRaw: raw)
                    remaining -= 1
                    if remaining == 0 {
                        return
                    }
                }
            }
        }
    }

    /// From the oldest on, where no place is given.
    private func followAllDevices(_ session: Session) async throws {
        let client = history.client(session)
        var place = try devices.start()
        var remaining = count.count ?? .max
        let following = Following(session: session)
        try await following.run {
            try await following.acrossLocks(hasBegun: { true }) {
                for try await page in client.followLogOfAllDevices(log, after: place) {
                    for entry in page.entries {
                        try session.output.show(entry, isRaw: raw)
                        remaining -= 1
                        if remaining == 0 {
                            return
                        }
                    }
                    place = page.place
                }
            }
        }
    }
}
