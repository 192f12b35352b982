import ReplicaModel
import StoreBasics

@testable import StoreEngine

/// Damages in the tables about the replica group.
extension CheckFindingTests {
    static let ofGroup = [
        Specimen(
            "UPDATE replica_group SET state = 9", "the row about the store's replica group is invalid"),
        Specimen(
            "UPDATE replica_group SET id = x'01'", "the row about the store's replica group is invalid"),
        Specimen(
            "UPDATE replica_things SET state = x'01' WHERE kind = 1",
            "rows with the replication state of data other than messages are invalid (1 found)"),
        Specimen(
            "UPDATE replica_messages SET mark = x'ff'", "messages have an invalid replication state (1 found)"),
        Specimen(
            "UPDATE replica_outgoing SET channel = 'device'",
            "sealed messages to or from other devices name an unknown channel (1 found)"),
        Specimen(
            "UPDATE replica_parts SET channel = 'device.1'",
            "sealed messages to or from other devices name an unknown channel (1 found)"),
        Specimen(
            "DELETE FROM replica_log_entries",
            """
            logs of other devices have no entries, or an impossible oldest sequence number or creation revision \
            (1 found)
            """),
        Specimen(
            "DELETE FROM replica_logs",
            """
            log entries of other devices belong to no log, or come before the first entry of their log; no pending \
            removal will delete them (1 found)
            """),
        Specimen(
            "UPDATE replica_log_entries SET time = -1",
            "log entries of other devices are empty, or have impossible sequence numbers or times (1 found)"),
        Specimen("UPDATE logs SET told_through = 9", "append logs have an invalid replication state (1 found)"),
    ]

    static var ofGroupDevices: [Specimen] {
        damages(
            of: "replica_members", "devices of the replica group have invalid keys, flags, times or batch numbers",
            [
                "signing_key = x'01'", "signing_key = zeroblob(32)",
                "signing_key = zeroblob(32), receiving_key = zeroblob(32)", "receiving_key = zeroblob(32)",
                "flags = \(ReplicaMemberRows.flagsMax + 1)", "flags = -1", "merged_hash = x''", "merged_sequence = -1",
                "ahead_milliseconds = -1",
                "told_sequence = -1", "held_sequence = -1", "removed_through = -1", "fault = 'unknown'", "fault = ''",
            ])
            + damages(
                of: "replica_epochs",
                "keys of the replica group do not have 32 bytes, or belong to an epoch with an impossible number",
                ["key = x'01'", "number = -1", "number = 4294967296"])
            + damages(
                of: "replica_grants",
                "records of keys that devices of the replica group received are invalid, or name an unknown device",
                ["device = 6", "number = -1", "number = 4294967296", "is_sure = 2"])
            + damages(
                of: "replica_snapshots", "snapshots for devices of the replica group are invalid",
                [
                    "id = x'01'", "walk = x'ff'", "last_chunk = -1", "last_hash = x''", "positions = x'01'",
                    "requester = 0", "epoch_number = -1",
                ])
    }

    /// Returns damages of a table that has one row.
    private static func damages(of table: String, _ finding: String, _ changes: [String]) -> [Specimen] {
        changes.map { Specimen("UPDATE \(table) SET \($0)", "\(finding) (1 found)") }
    }

    /// Fills every table about the replica group with a row.
    static func addGroup(to store: TemporaryStore) throws {
        _ = try store.engine.createReplicaGroup(deviceName: ReplicaDeviceName("here"), selection: .everything)
        try store.engine.writer.perform { context throws(StoreError) in
            _ = try context.commit { connection throws(StoreError) in
                var member = ReplicaMember(device: 5)
                member.name = "there"
                member.fault = .forked
                try ReplicaMemberRows.write(member, connection)
                let position = PositionsRecord.Position(device: 5, sequence: 1, hash: ReplicaGroupRow.noHash)
                let snapshot = ReplicaSnapshot(
                    id: ReplicaID.random(), walk: .start, positions: PositionsRecord(positions: [position]),
                    requester: 5, epoch: EpochID(number: 1, maker: 5))
                try ReplicaSnapshotRows.write(snapshot, connection)
                let channel = ReplicaChannel.device(5)
                try ReplicaOutgoingRows.insert(channel, 1, [1], connection)
                let parts = ReplicaParts(beforeSequence: 0, beforeHash: [], bytes: [1])
                try ReplicaPartRows.write(parts, of: channel, connection)
                try ReplicaRemovals.recordRemoval("m9", connection)
                let entries = LogEntriesRecord(
                    name: "log", value: [], device: 5, opened: 1, oldestSequence: 1, firstSequence: 1)
                let known = try DeviceLogRow.find(entries, ownLog: nil, connection)
                _ = try known.insert(1, LogEntriesRecord.Entry(time: 1, data: [1]), connection)
            }
        }
    }
}
