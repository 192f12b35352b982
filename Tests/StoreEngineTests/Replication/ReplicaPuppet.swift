import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

@testable import StoreEngine

/// A device of the group whose messages a test chooses. They are sealed and signed like any other device's messages.
final class ReplicaPuppet {
    let number: UInt64
    private let keys: ReplicaDeviceKeys
    let fleet: ReplicaFleet
    private var sequence: UInt64 = 0
    private var lastHash = ReplicaGroupRow.noHash
    private(set) var batches: [[UInt8]] = []

    /// Adds a new member to the group.
    ///
    /// - Parameter indices: the stores that know the puppet; `nil` for all.
    init(_ fleet: ReplicaFleet, knownTo indices: [Int]? = nil) throws {
        self.fleet = fleet
        keys = try ReplicaDeviceKeys.generate()
        number = keys.number
        var member = ReplicaMember(device: number)
        member.signingKey = keys.signingKey
        member.receivingKey = keys.receivingKey
        member.name = "puppet"
        let known = member
        for index in indices ?? Array(fleet.devices.indices) {
            try fleet.devices[index].engine.writer.perform { context throws(StoreError) in
                try context.commit { connection throws(StoreError) in try ReplicaMemberRows.write(known, connection) }
            }
        }
    }

    /// Returns the next batch. Its sequence is one more than the previous one.
    ///
    /// - Parameters:
    ///   - known: the epoch of the batch; by default the newest epoch of the first store.
    ///   - otherKey: a key that is used instead of the epoch's key.
    func batch(
        _ records: [ReplicaRecord], under known: EpochID? = nil, otherKey: [UInt8]? = nil
    ) throws -> [UInt8] {
        var plaintext: [UInt8] = []
        records.forEach { $0.append(to: &plaintext) }
        sequence += 1
        let newest = try fleet.devices[0].engine.newestEpoch()
        let (epoch, key) = (known ?? newest.0, newest.1)
        let header = BatchHeader(
            group: try fleet.status(0).group.bytes, device: number, sequence: sequence, epoch: epoch,
            previousHash: lastHash)
        let sealed = try BatchEnvelope.seal(
            header, plaintext, epochKey: EpochKey(bytes: SecretBytes(copying: otherKey ?? key)), deviceKeys: keys)
        lastHash = BatchEnvelope.hash(of: sealed)
        batches.append(sealed)
        return sealed
    }

    /// Returns a snapshot's only chunk.
    func chunk(of snapshot: ReplicaID, _ records: [ReplicaRecord]) throws -> [UInt8] {
        var plaintext: [UInt8] = []
        records.forEach { $0.append(to: &plaintext) }
        let (epoch, key) = try fleet.devices[0].engine.newestEpoch()
        let header = SnapshotChunkHeader(
            group: try fleet.status(0).group.bytes, maker: number, snapshotID: snapshot.bytes, index: 0, isLast: true,
            epoch: epoch, previousHash: ReplicaGroupRow.noHash)
        return try SnapshotEnvelope.seal(
            header, plaintext, epochKey: EpochKey(bytes: SecretBytes(copying: key)), deviceKeys: keys)
    }

    /// Makes a store wait for a snapshot of this device, and hands it a snapshot with the given records and positions.
    func tellSnapshot(
        _ records: [ReplicaRecord], places: [(device: UInt64, sequence: UInt64)] = [], to index: Int
    ) throws -> ReplicaHandedIn {
        let id = ReplicaID.random()
        try fleet.devices[index].engine.await(
            ReplicaGroupRow.AwaitedSnapshot(id: id, maker: number, heardAt: .now))
        let own = PositionsRecord.Position(device: number, sequence: sequence, hash: lastHash)
        let others = places.map {
            PositionsRecord.Position(device: $0.device, sequence: $0.sequence, hash: ReplicaGroupRow.noHash)
        }
        let positions = ReplicaRecord.positions(PositionsRecord(positions: [own] + others))
        return try fleet.handIn(index, .snapshot(id), chunk(of: id, records + [positions]))
    }

    @discardableResult
    func tell(_ records: [ReplicaRecord], to index: Int) throws -> ReplicaHandedIn {
        try fleet.handIn(index, .device(number), batch(records))
    }
}

extension StoreEngine {
    /// Returns the epoch and the key that seal new batches.
    func newestEpoch() throws -> (EpochID, [UInt8]) {
        try writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            guard let epoch = try ReplicaEpochRows.known(connection).first,
                let key = try ReplicaEpochRows.key(of: epoch, connection)
            else { throw ReplicaTables.damaged }
            return (epoch, key.bytes.withUnsafeBytes { [UInt8]($0) })
        }
    }

    /// Returns the digests of contents that an entity refers to and the store does not have.
    func missingContents() throws -> [[UInt8]] {
        try writer.perform { context throws(StoreError) in
            let rows = try context.openConnection().rows(StatementText("SELECT digest FROM replica_missing_contents"))
            var digests: [[UInt8]] = []
            while try rows.next() {
                digests.append(rows.bytes(0))
            }
            return digests
        }
    }

    func rowCount(of table: String) throws -> Int {
        try writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return Int(try mapped(connection.integer("SELECT count(*) FROM \(table)")) ?? 0)
        }
    }
}

extension ReplicaFleet {
    /// Returns the records that a device has published, decrypted and decoded.
    func told(by index: Int) throws -> [ReplicaRecord] {
        let device = devices[index].number
        let (_, key) = try devices[index].engine.newestEpoch()
        let signingKey = try devices[index].engine.signingKey()
        return try (1...max(1, log.lastSequence(.device(device)))).flatMap { sequence -> [ReplicaRecord] in
            guard let message = log.message(.device(device), sequence) else { return [] }
            let plaintext = try BatchEnvelope.open(
                message, signingKey: signingKey, epochKey: EpochKey(bytes: SecretBytes(copying: key)))
            return try plaintext.withUnsafeBytes { try ReplicaRecord.all(in: $0) }
        }
    }

    /// Returns the plaintexts of all published batches and snapshots.
    func plaintexts() throws -> [[UInt8]] {
        let (_, key) = try devices[0].engine.newestEpoch()
        let signingKeys = try devices.map { try $0.engine.signingKey() }
        return try log.channels.flatMap { channel in
            try log.messages(of: channel).compactMap { message in
                for signingKey in signingKeys {
                    let epochKey = try EpochKey(bytes: SecretBytes(copying: key))
                    let plaintext =
                        switch channel {
                        case .device: try? BatchEnvelope.open(message, signingKey: signingKey, epochKey: epochKey)
                        case .snapshot:
                            try? SnapshotEnvelope.open(message, signingKey: signingKey, epochKey: epochKey)
                        case .joinRequest, .joinWelcome: nil as [UInt8]?
                        }
                    if let plaintext { return plaintext }
                }
                return nil
            }
        }
    }

    /// Delivers the next batch of one device to another.
    ///
    /// - Returns: false if there is no further batch.
    func deliver(from origin: Int, to place: Int) throws -> Bool {
        try takeNext(place) { $0 == .device(devices[origin].number) }
    }
}
