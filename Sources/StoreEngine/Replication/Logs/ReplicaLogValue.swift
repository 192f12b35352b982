import ReplicaModel
import SQLCipher
import StoreBasics

/// The configuration with which a log was opened: an `ArchivedLog` of archives.proto without the name.
struct ReplicaLogValue: Hashable {
    var configuration: LogConfiguration
    var createdAt: Timestamp
    private(set) var unknownFields: [UInt8] = []

    private enum Number {
        static let maximumBytes: UInt32 = 2
        static let overwritesOldest: UInt32 = 3
        static let createdAt: UInt32 = 4
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: Number.maximumBytes, configuration.maximumBytes)
        bytes.append(field: Number.overwritesOldest, configuration.overwritesOldest)
        bytes.append(field: Number.createdAt, signed: createdAt.microseconds)
        return bytes
    }

    init(configuration: LogConfiguration, createdAt: Timestamp) {
        self.configuration = configuration
        self.createdAt = createdAt
    }

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsedFields { fields in
            var (maximumBytes, overwritesOldest): (UInt64, Bool) = (0, false)
            var createdAt = Timestamp(microseconds: 0)
            while let field = try fields.next() {
                switch field.number {
                case Number.maximumBytes: maximumBytes = try field.unsigned()
                case Number.overwritesOldest: overwritesOldest = try field.flag()
                case Number.createdAt: createdAt = try field.timestamp()
                default: fields.keep(field)
                }
            }
            var value = ReplicaLogValue(
                configuration: LogConfiguration(maximumBytes: maximumBytes, overwritesOldest: overwritesOldest),
                createdAt: createdAt)
            value.unknownFields = fields.unknown
            return value
        }
        try LogBounds.check(configuration)
    }

    /// Returns the value of a row of `replica_logs`.
    ///
    /// - Parameter stored: as the row has it. Rows of schema 4 and earlier have three numbers of fixed width, the time
    ///   first: it begins with a byte 0, with which no field begins.
    static func bytes(stored: [UInt8]) -> [UInt8] {
        guard stored.first == 0, stored.count == 17 else { return stored }
        let value: ReplicaLogValue? = stored.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            guard let time = reader.bigEndianTime(), let maximumBytes: UInt64 = reader.bigEndian(),
                let overwritesOldest = reader.flag()
            else { return nil }
            return ReplicaLogValue(
                configuration: LogConfiguration(maximumBytes: maximumBytes, overwritesOldest: overwritesOldest),
                createdAt: time)
        }
        return value?.bytes ?? stored
    }
}
