import SQLCipher

/// What this store has made for its group.
extension StoreReader {
    /// Batches behind one, as they wait here until the group's log has them.
    package func replicaBatches(
        after sequence: UInt64, limit: Int
    ) throws(StoreError) -> [(sequence: UInt64, bytes: [UInt8])] {
        try readSnapshot { connection throws(StoreError) in
            var batches: [(sequence: UInt64, bytes: [UInt8])] = []
            let rows = try connection.rows(Self.batchesBehind, sequence, limit)
            while try rows.next() {
                batches.append((rows.unsigned(0), rows.bytes(1)))
            }
            return batches
        }
    }

    private static let batchesBehind = StatementText(
        "SELECT sequence, batch FROM replica_outgoing WHERE sequence > ?1 ORDER BY sequence LIMIT ?2")
}

extension StoreReader {
    /// Up to which batch another device's are merged here.
    package func mergedSequence(of device: UInt64) throws(StoreError) -> UInt64 {
        try readSnapshot { connection throws(StoreError) in
            try ReplicaMemberRows.mergedSequence(of: device, connection)
        }
    }
}
