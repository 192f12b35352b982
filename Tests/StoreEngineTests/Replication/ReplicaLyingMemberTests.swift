import ReplicaModel
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Tests false records with which a member tries to read messages after its removal, or to silence others.
@Suite struct ReplicaLyingMemberTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet
    let puppet: ReplicaPuppet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
        puppet = try ReplicaPuppet(fleet)
    }

    /// Returns the epoch under which the newest batch of a device is sealed.
    private func sealedUnder(by device: Int) throws -> EpochID {
        let channel = ReplicaChannel.device(number(device))
        return try BatchHeader(parsing: #require(fleet.log.message(channel, fleet.log.lastSequence(channel)))).epoch
    }

    private func grants(_ key: borrowing EpochKey) throws -> [EpochRecord.Grant] {
        var grants: [EpochRecord.Grant] = []
        for device in 0..<3 {
            let sealed = try key.sealed(for: engine(device).receivingKey())
            grants.append(EpochRecord.Grant(device: number(device), sealedKey: sealed))
        }
        return grants
    }

    // MARK: Reading after removal

    @Test func `a device that makes keys while it is removed can read no more`() throws {
        let (before, _) = try engine(0).newestEpoch()
        var batches: [[UInt8]] = []
        var under: (id: EpochID, key: [UInt8])?
        for count in UInt32(1)...2 {
            let key = try EpochKey.generate()
            let id = EpochID(number: before.number + count, maker: puppet.number)
            let record = ReplicaRecord.epoch(EpochRecord(id: id, grants: try grants(key)))
            batches.append(try puppet.batch([record], under: under?.id, otherKey: under?.key))
            under = (id, key.bytes.withUnsafeBytes { [UInt8]($0) })
        }
        try engine(0).removeReplicaDevice(puppet.number)
        for batch in batches {
            _ = try fleet.handIn(1, .device(puppet.number), batch)
        }
        #expect(try engine(1).newestEpoch().0.maker == puppet.number)
        try fleet.settle()
        // Devices that lack the keys request them, and get them from any device that has merged them.
        for _ in 0..<2 {
            for device in [0, 2] { try engine(device).passReplicaTime(seconds: 121) }
            try fleet.settle()
        }
        for device in 0..<3 {
            try save(device, "m\(device)")
        }
        try fleet.settle()
        for device in 0..<3 {
            let epoch = try sealedUnder(by: device)
            #expect(try epoch.maker != puppet.number && !engine(device).isSaidToHave(epoch, puppet.number))
            #expect(try message(device, "m\((device + 1) % 3)") != nil)
        }
        // The members have replaced all keys of the removed device, so a second removal makes no new key.
        let made = try (0..<3).map { try engine($0).rowCount(of: "replica_epochs") }
        try engine(0).removeReplicaDevice(puppet.number)
        #expect(try (0..<3).map { try engine($0).rowCount(of: "replica_epochs") } == made)
    }

    @Test func `a false key of a removed device is not used for new batches`() throws {
        let (before, _) = try engine(0).newestEpoch()
        let told = EpochID(number: before.number + 500, maker: number(1))
        let key = try EpochKey.generate()
        let bytes = key.bytes.withUnsafeBytes { [UInt8]($0) }
        _ = try puppet.tellSnapshot([fleet.epoch(told, key, for: 2)], to: 2)
        #expect(try engine(2).newestEpoch().0 == told)
        try engine(0).removeReplicaDevice(puppet.number)
        try fleet.settle()
        try save(2, "after")
        try fleet.settle()
        let epoch = try sealedUnder(by: 2)
        #expect(try engine(2).knownKey(of: epoch) != bytes)
        for _ in 0..<2 {
            for device in 0..<2 { try engine(device).passReplicaTime(seconds: 121) }
            try fleet.settle()
        }
        for device in 0..<2 {
            #expect(try message(device, "after") != nil)
            #expect(try engine(device).knownKey(of: epoch) == engine(2).knownKey(of: epoch))
        }
    }

    @Test func `a key that a removed device got is replaced even if the remover of that device is removed too`()
        throws
    {
        let four = try ReplicaFleet(deviceCount: 4, seed: 1, kinds: [])
        let numbers = four.devices.map(\.number)
        try four.devices[0].engine.removeReplicaDevice(numbers[3])
        try four.publish(0)
        while try four.deliver(from: 0, to: 2) {}
        // Device 1 does not know yet that device 3 is removed, so it gives device 3 the key.
        try four.devices[1].engine.removeReplicaDevice(numbers[0])
        #expect(try four.devices[1].engine.isSaidToHave(four.devices[1].engine.newestEpoch().0, numbers[3]))
        for _ in 0..<2 {
            try four.settle([1, 2])
            for device in [1, 2] { try four.devices[device].engine.passReplicaTime(seconds: 121) }
        }
        try four.settle([1, 2])
        for device in [1, 2] {
            let engine = four.devices[device].engine
            let newest = try engine.newestEpoch().0
            #expect(try newest.maker != numbers[0] && !engine.isSaidToHave(newest, numbers[3]))
        }
        #expect(try four.devices[1].engine.newestEpoch().1 == four.devices[2].engine.newestEpoch().1)
    }

    @Test func `unknown makers together have no more keys than one maker may have`() throws {
        let (before, _) = try engine(2).newestEpoch()
        let known = try engine(2).rowCount(of: "replica_epochs")
        let records = try (UInt64(1)...300).map { maker in
            try fleet.epoch(EpochID(number: before.number + 1, maker: maker), EpochKey.generate(), for: 2)
        }
        _ = try puppet.tellSnapshot(records, to: 2)
        #expect(try engine(2).rowCount(of: "replica_epochs") == known + Int(ReplicaLimits.epochsOfMakerMax))
    }

    // MARK: Positions

    @Test func `a false position is not passed on, and the device itself corrects it`() throws {
        _ = try puppet.tellSnapshot([], places: [(number(1), 1 << 40)], to: 2)
        try save(1, "unheard")
        try fleet.settle([0, 1])
        try fleet.settle([1, 2])
        #expect(try message(2, "unheard") == nil)
        try engine(2).passReplicaTime(seconds: 86_401)
        try fleet.settle([0, 2])
        #expect(try engine(0).arrears(of: number(1))?.reportedSequence ?? 0 < 1 << 40)
        try engine(0).passReplicaTime(seconds: 86_401)
        try fleet.publish(0)
        while try fleet.deliver(from: 0, to: 2) {}
        #expect(try engine(2).awaited()?.maker == number(1))
        try fleet.settle()
        #expect(try message(2, "unheard") != nil)
        let place = try fleet.status(2).followed.first { $0.channel == .device(number(1)) }
        #expect(place?.sequence == fleet.log.lastSequence(.device(number(1))))
        try save(1, "heard")
        try fleet.settle()
        #expect(try message(2, "heard") != nil)
    }

    @Test func `a snapshot has positions exactly once, at its end`() throws {
        let positions = ReplicaRecord.positions(
            PositionsRecord(positions: [
                PositionsRecord.Position(device: number(1), sequence: 1 << 40, hash: ReplicaGroupRow.noHash)
            ]))
        let removal = ReplicaRecord.memberRemoval(MemberRemovalRecord(device: 7, throughSequence: 0))
        for records in [[positions, removal], [positions, positions], [removal], []] {
            let id = ReplicaID.random()
            try engine(2).await(ReplicaGroupRow.AwaitedSnapshot(id: id, maker: puppet.number, heardAt: .now))
            #expect(try fleet.handIn(2, .snapshot(id), puppet.chunk(of: id, records)) == .refused(.malformed))
            #expect(try engine(2).awaited()?.id == id)
        }
    }
}
