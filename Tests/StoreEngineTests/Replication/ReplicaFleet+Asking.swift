import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

@testable import StoreEngine

/// Functions with which tests read and change what devices remember of their requests.
extension StoreEngine {
    /// Returns the snapshot that the device waits for; `nil` if it waits for none.
    func awaited() throws -> ReplicaGroupRow.AwaitedSnapshot? {
        try writer.perform { context throws(StoreError) in
            try ReplicaGroupRow.read(context.openConnection())?.awaitedSnapshot
        }
    }

    func await(_ snapshot: ReplicaGroupRow.AwaitedSnapshot?) throws {
        try writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                guard var group = try ReplicaGroupRow.read(connection) else { return }
                group.awaitedSnapshot = snapshot
                try group.write(connection)
            }
        }
    }

    func arrears(of device: UInt64) throws -> ReplicaArrears? {
        try writer.perform { context throws(StoreError) in
            try ReplicaMemberRows.read(device, context.openConnection())?.arrears
        }
    }

    func knownKey(of epoch: EpochID) throws -> [UInt8]? {
        try writer.perform { context throws(StoreError) in
            guard let key = try ReplicaEpochRows.key(of: epoch, context.openConnection()) else { return nil }
            return key.bytes.withUnsafeBytes { [UInt8]($0) }
        }
    }

    func isSaidToHave(_ epoch: EpochID, _ device: UInt64) throws -> Bool {
        try writer.perform { context throws(StoreError) in
            try ReplicaEpochRows.isSaidToBeGranted(epoch, to: device, context.openConnection())
        }
    }

    func receivingKey() throws -> [UInt8] {
        try writer.perform { context throws(StoreError) in
            try ReplicaGroupRow.keys(context.openConnection()).receivingKey
        }
    }

    func signingKey() throws -> [UInt8] {
        try writer.perform { context throws(StoreError) in
            try ReplicaGroupRow.keys(context.openConnection()).signingKey
        }
    }

    /// Moves every remembered time of the group into the past, as if `seconds` had passed.
    func passReplicaTime(seconds: Int64) throws {
        try writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                try connection.run(Self.earlierInGroup, seconds * 1_000_000)
                try connection.run(Self.earlierOfMembers, seconds * 1_000_000)
                try connection.run(Self.earlierOfMissing, seconds * 1_000_000)
                try connection.run(Self.earlierOfContents, seconds * 1_000_000)
            }
        }
    }

    /// Lets so much time pass that batches wait no longer for batches of other devices.
    func passOrderTime() throws {
        try writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in try connection.run(Self.earlierOrder, 61_000_000) }
        }
    }

    private static let earlierOrder = StatementText(
        "UPDATE replica_members SET order_awaited_since = order_awaited_since - ?1")
    private static let earlierInGroup = StatementText(
        """
        UPDATE replica_group SET positions_told_at = positions_told_at - ?1, snapshot_heard_at = snapshot_heard_at - ?1
        """)
    private static let earlierOfMembers = StatementText(
        """
        UPDATE replica_members SET merged_at = merged_at - ?1, told_at = told_at - ?1, asked_at = asked_at - ?1,
            key_awaited_since = key_awaited_since - ?1, order_awaited_since = order_awaited_since - ?1,
            unanswered_since = unanswered_since - ?1
        """)
    private static let earlierOfMissing = StatementText(
        "UPDATE replica_missing_contents SET named_at = named_at - ?1, asked_at = asked_at - ?1")
    private static let earlierOfContents = StatementText(
        "UPDATE replica_contents SET answered_at = answered_at - ?1")
}

extension ReplicaFleet {
    /// Lets so much time pass that a device that got no answer asks another device. Repeats this until each device can
    /// have asked all others.
    func passAnswerTimes(_ indices: [Int]? = nil) throws {
        for _ in 0..<max(4, devices.count) {
            for index in indices ?? Array(devices.indices) {
                try devices[index].engine.passReplicaTime(seconds: 21_601)
            }
            try settle(indices)
        }
    }

    /// Returns the number of pieces of contents that a device has published.
    func pieceCount(toldBy index: Int) throws -> Int {
        try told(by: index).count { if case .contentPiece = $0 { true } else { false } }
    }

    func snapshots(madeBy index: Int) throws -> [ReplicaChannel] {
        try status(index).outgoing.map(\.channel).filter { if case .snapshot = $0 { true } else { false } }
    }

    /// Removes all messages of a device from the stream.
    func forget(_ index: Int) {
        log.forget(.device(devices[index].number))
    }

    /// Returns a record that gives a key of an epoch to a device.
    ///
    /// - Parameter id: The id of the epoch. Its maker need not be the device that publishes the record: some tests
    ///   publish a key in the name of another device.
    func epoch(_ id: EpochID, _ key: borrowing EpochKey, for index: Int) throws -> ReplicaRecord {
        let grant = EpochRecord.Grant(
            device: devices[index].number, sealedKey: try key.sealed(for: devices[index].engine.receivingKey()))
        return .epoch(EpochRecord(id: id, grants: [grant]))
    }
}
