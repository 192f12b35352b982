import ArgumentParser
import StoreBasics
import StoreClient

/// The settings of an append log that cannot be changed after its creation.
struct LogConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Size limit of the log: \(ByteCountOption.help). The log itself needs 64 bytes of this size, and each \
            message needs 4 bytes more than its text, and metadata 4 bytes more than their encoding.
            """,
            valueName: "size"))
    var maximumBytes: ByteCountOption

    @Flag(help: "When the log is full, let new messages replace the oldest ones.")
    var overwrite = false

    @Flag(help: "Replicate the log in the replica group of the store. Only deleting the log ends this.")
    var replicated = false

    var configuration: LogConfiguration {
        LogConfiguration(maximumBytes: maximumBytes.bytes, overwritesOldest: overwrite)
    }
}

/// The options for reading the messages of all devices of a replica group.
struct LogDevicesOptions: ParsableArguments {
    @Flag(
        help: """
            Show the messages of all devices of the group, by time. The line of a message from another device begins \
            with the number of that device.
            """)
    var allDevices = false

    @Option(
        help: ArgumentHelp(
            "With --all-devices: continue after this position, which an earlier read printed.", valueName: "place")
    )
    var place: String?

    func validate() throws {
        guard place == nil || allDevices else { throw ValidationError("--place needs --all-devices") }
    }

    private static let historyBytes = 16

    func start() throws -> LogPlace? {
        guard let place else { return nil }
        guard let bytes = Hexadecimal.decode(place), bytes.count > Self.historyBytes,
            let history = HistoryID(bytes: bytes.prefix(Self.historyBytes))
        else { throw CommandFailure(.usage, "--place accepts only a position that an earlier read of the log printed") }
        return LogPlace(historyID: history, bytes: Array(bytes.dropFirst(Self.historyBytes)))
    }
}

extension LogPlace {
    /// The position as text, in the form that `--place` accepts.
    var text: String { "\(historyID)\(Hexadecimal.encode(bytes))" }
}
