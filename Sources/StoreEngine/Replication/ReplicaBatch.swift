package import ReplicaModel
import SQLCipher

/// What another device of the group has told, opened and read.
package struct ReplicaBatch: Sendable {
    package var device: UInt64
    package var sequence: UInt64
    package var records: [ReplicaRecord]

    package init(device: UInt64, sequence: UInt64, records: [ReplicaRecord]) {
        self.device = device
        self.sequence = sequence
        self.records = records
    }
}

/// How far the merging of a batch has come that takes several commits.
struct ReplicaMerging: Sendable {
    /// Of the records, from the first on.
    var doneCount = 0
}
