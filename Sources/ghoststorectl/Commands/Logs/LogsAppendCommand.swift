import ArgumentParser
import StoreClient

struct LogsAppendCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "append", abstract: "Append messages to a log: all of them or none.",
        discussion: """
            Each argument is one message. Without one, each line of standard input is, without its newline; a line \
            that is empty is refused, since a message has at least one byte.
            """)

    /// The daemon takes so many messages at once.
    private static let messagesMax = 10_000
    private static let inputBytesMax = 8 << 20

    @Argument(help: "Name of the log.")
    var log: String

    @Argument(help: "The messages, as text.")
    var messages: [String] = []

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let found = messages.isEmpty ? try Self.lines() : messages.map { Array($0.utf8) }
        guard !found.isEmpty else {
            throw CommandFailure(.badData, "there is nothing to append")
        }
        guard found.count <= Self.messagesMax else {
            throw CommandFailure(
                .badData, "there are \(found.count) messages; at most \(Self.messagesMax) are appended at once")
        }
        let appended = try await session.client.append(found, toLog: log)
        var json = JSONObject()
        json.add("first_sequence", appended.sequences.lowerBound)
        json.add("last_sequence", appended.sequences.upperBound)
        let numbers =
            appended.sequences.count == 1
            ? "message \(appended.sequences.lowerBound)"
            : "messages \(appended.sequences.lowerBound) to \(appended.sequences.upperBound)"
        try session.output.say("appended \(numbers)", json: json)
    }

    private static func lines() throws(CommandFailure) -> [[UInt8]] {
        let input = try InputFile("-")
        let bytes = try input.readAll(bytesMax: inputBytesMax, named: "standard input")
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true {
            // What is behind the last newline is no line.
            lines.removeLast()
        }
        if let index = lines.firstIndex(where: \.isEmpty) {
            throw CommandFailure(.badData, "line \(index + 1) is empty; a message has at least one byte")
        }
        return lines.map { Array($0) }
    }
}
