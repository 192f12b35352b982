import ArgumentParser
import StoreClient

struct LogsOpenCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Make a log, or find the one of this name.",
        discussion: """
            Size and overwriting are fixed for the life of a log. One that was made otherwise is left as it is: exit \
            status 3.
            """)

    @Argument(help: "Name of the log, 1 to 256 bytes.")
    var log: String

    @OptionGroup var options: LogConfigurationOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let opened = try await session.client.openLog(log, options.configuration)
        guard opened.configuration == options.configuration else {
            throw CommandFailure(
                .precondition,
                "the log was made for \(opened.configuration.maximumBytes) bytes and "
                    + "\(opened.configuration.overwritesOldest ? "overwrites" : "keeps") old messages; "
                    + "it takes nothing from a writer that expects another")
        }
        try session.output.show(opened)
    }
}

/// What is fixed for the life of a log.
struct LogConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Most bytes it takes: 64, then each message with four of length.", valueName: "bytes"))
    var maximumBytes: UInt64

    @Flag(help: "Once it is full, new messages take the place of the oldest ones.")
    var overwrite = false

    var configuration: LogConfiguration {
        LogConfiguration(maximumBytes: maximumBytes, overwritesOldest: overwrite)
    }
}
