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
