import ArgumentParser
import StoreClient

/// What is fixed for the life of a log.
struct LogConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Most bytes it takes, 64 and each message with four of length: \(ByteCountOption.help).",
            valueName: "size"))
    var maximumBytes: ByteCountOption

    @Flag(help: "Once it is full, new messages take the place of the oldest ones.")
    var overwrite = false

    var configuration: LogConfiguration {
        LogConfiguration(maximumBytes: maximumBytes.bytes, overwritesOldest: overwrite)
    }
}
