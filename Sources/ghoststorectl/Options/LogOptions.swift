import ArgumentParser
import StoreBasics
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

    @Flag(help: "It takes part in the store's replica group, for as long as it is there.")
    var replicated = false

    var configuration: LogConfiguration {
        LogConfiguration(maximumBytes: maximumBytes.bytes, overwritesOldest: overwrite)
    }
}

/// Reads of what all devices of a group have appended.
struct LogDevicesOptions: ParsableArguments {
    @Flag(help: "What all devices of the group have appended, by time; each line says whose it is.")
    var allDevices = false

    @Option(
        help: ArgumentHelp("With --all-devices: go on behind this place, as a read before told it.", valueName: "place")
    )
    var place: String?

    func validate() throws {
        guard place == nil || allDevices else { throw ValidationError("--place goes with --all-devices") }
    }

    private static let historyBytes = 16

    func start() throws -> LogPlace? {
        guard let place else { return nil }
        guard let bytes = Hexadecimal.decode(place), bytes.count > Self.historyBytes,
            let history = HistoryID(bytes: bytes.prefix(Self.historyBytes))
        else { throw CommandFailure(.usage, "the place is none that a read of the log has told") }
        return LogPlace(historyID: history, bytes: Array(bytes.dropFirst(Self.historyBytes)))
    }
}

extension LogPlace {
    /// As `--place` takes it.
    var text: String { "\(historyID)\(Hexadecimal.encode(bytes))" }
}
