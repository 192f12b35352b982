import ReplicaModel
import SQLCipher
import StoreBasics

/// What a log was opened with, as records tell it.
struct ReplicaLogValue: Hashable {
    var configuration: LogConfiguration
    var createdAt: Timestamp

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(time: createdAt)
        bytes.append(bigEndian: configuration.maximumBytes)
        bytes.append(configuration.overwritesOldest ? 1 : 0)
        return bytes
    }

    init(configuration: LogConfiguration, createdAt: Timestamp) {
        self.configuration = configuration
        self.createdAt = createdAt
    }

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsed { (reader) throws(StoreError) in
            guard let createdAt = reader.bigEndianTime(), let maximumBytes: UInt64 = reader.bigEndian(),
                let overwritesOldest = reader.flag()
            else { return nil }
            return ReplicaLogValue(
                configuration: LogConfiguration(maximumBytes: maximumBytes, overwritesOldest: overwritesOldest),
                createdAt: createdAt)
        }
        try LogBounds.check(configuration)
    }
}

extension ReplicaLogs {
    /// `nil`: there is none that takes part.
    func presentLog(_ name: LogName) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(Self.replicatedLog, name) else { return nil }
        let configuration = LogConfiguration(maximumBytes: row.unsigned(1), overwritesOldest: row.bool(2))
        let value = ReplicaLogValue(configuration: configuration, createdAt: row.timestamp(0))
        return PresentThing(values: [.value: value.bytes], touchedAt: row.integer(0))
    }

    private static let replicatedLog = StatementText(
        "SELECT created_at, maximum_bytes, overwrites_oldest FROM logs WHERE name = ?1 AND is_replicated = 1")
}
