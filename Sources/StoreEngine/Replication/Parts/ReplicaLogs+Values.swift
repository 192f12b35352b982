import ReplicaModel
import SQLCipher
import StoreBasics

extension ReplicaLogs {
    /// Returns the settings of a log; `nil` if the store has no replicated log with this name.
    func presentLog(_ name: LogName) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(Self.replicatedLog, name) else { return nil }
        let configuration = LogConfiguration(maximumBytes: row.unsigned(1), overwritesOldest: row.bool(2))
        let log = WholeLog(name: name, configuration: configuration, createdAt: row.timestamp(0))
        return PresentThing(values: [.value: log.body], touchedAt: row.integer(0))
    }

    private static let replicatedLog = StatementText(
        "SELECT created_at, maximum_bytes, overwrites_oldest FROM logs WHERE name = ?1 AND is_replicated = 1")
}
