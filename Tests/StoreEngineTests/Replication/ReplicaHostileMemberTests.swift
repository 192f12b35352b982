import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Tests false records of a member about other devices and their keys, or about itself.
@Suite struct ReplicaHostileMemberTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet
    let puppet: ReplicaPuppet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
        puppet = try ReplicaPuppet(fleet)
    }

    private func tell(_ records: [ReplicaRecord], to devices: [Int]) throws {
        let batch = try puppet.batch(records)
        for device in devices {
            guard case .merged = try fleet.handIn(device, .device(puppet.number), batch) else {
                Issue.record("a batch was not merged")
                continue
            }
        }
    }

    /// Returns a record with a new key of the puppet, given to a device as the key of an epoch.
    private func epoch(_ id: EpochID, for device: Int) throws -> ReplicaRecord {
        try fleet.epoch(id, EpochKey.generate(), for: device)
    }

    // MARK: Removals

    @Test func `a member that publishes its own removal can still be removed`() throws {
        let removal = MemberRemovalRecord(device: puppet.number, throughSequence: 1 << 40)
        try tell([.memberRemoval(removal)], to: [0, 1])
        let before = try engine(0).newestEpoch().0
        try engine(0).removeReplicaDevice(puppet.number)
        #expect(try engine(0).newestEpoch().0.number == before.number + 1)
        #expect(try puppet.tell([], to: 0) == .refused(.deviceRemoved))
    }

    @Test func `a member that another member has falsely removed is removed with a new key`() throws {
        let accomplice = try ReplicaPuppet(fleet)
        // Device 0 made the key. After this record it counts the key as given to both puppets.
        try tell([.epoch(EpochRecord(id: engine(0).newestEpoch().0, grants: []))], to: [0])
        let removal = MemberRemovalRecord(device: accomplice.number, throughSequence: 1 << 40)
        let before = try engine(0).newestEpoch().0
        try tell([.memberRemoval(removal)], to: [0])
        try engine(0).removeReplicaDevice(accomplice.number)
        let after = try engine(0).newestEpoch().0
        #expect(after.number == before.number + 1)
        // The removed member has no current key now, so a second removal makes no new key.
        try engine(0).removeReplicaDevice(accomplice.number)
        #expect(try engine(0).newestEpoch().0 == after)
    }

    // MARK: Epochs

    @Test func `an epoch is accepted only with the next number`() throws {
        let before = try engine(0).newestEpoch().0
        for next in [UInt32.max, before.number + 2] {
            try tell([epoch(EpochID(number: next, maker: puppet.number), for: 0)], to: [0])
            #expect(try engine(0).newestEpoch().0 == before)
        }
        let next = EpochID(number: before.number + 1, maker: puppet.number)
        try tell([epoch(next, for: 0)], to: [0])
        #expect(try engine(0).newestEpoch().0 == next)
    }

    @Test func `a key is accepted only from the device that made it`() throws {
        let before = try engine(0).newestEpoch().0
        let next = EpochID(number: before.number + 1, maker: number(1))
        try tell([epoch(next, for: 0), epoch(next, for: 2)], to: [0, 2])
        #expect(try engine(0).newestEpoch().0 == before)
        try engine(1).removeReplicaDevice(puppet.number)
        try fleet.settle()
        try save(2, "behind")
        try fleet.settle()
        let (made, key) = try engine(1).newestEpoch()
        #expect(made == next)
        for device in [0, 2] {
            #expect(try engine(device).newestEpoch().0 == made)
            #expect(try engine(device).newestEpoch().1 == key)
            #expect(try fleet.status(device).devices.allSatisfy { $0.fault == nil })
        }
        #expect(try message(1, "behind") != nil)
    }

    @Test func `a key from its maker replaces a key from the inviter`() throws {
        try puppet.letIn(0)
        let next = EpochID(number: try engine(0).newestEpoch().0.number + 1, maker: number(1))
        let batch = try puppet.batch([epoch(next, for: 0)])
        _ = try fleet.handIn(0, .device(puppet.number), batch)
        #expect(try engine(0).newestEpoch().0 == next)
        try engine(1).removeReplicaDevice(puppet.number)
        try fleet.publish(1)
        while try fleet.deliver(from: 1, to: 0) {}
        let (taken, made) = try (engine(0).newestEpoch(), engine(1).newestEpoch())
        #expect(taken.0 == made.0)
        #expect(taken.1 == made.1)
    }

    @Test func `a device gets a key even if another device claims to have given it the key`() throws {
        try fleet.addStore()
        let code = try fleet.invite(1)
        try fleet.ask(3, code)
        try fleet.publish(3)
        #expect(try fleet.takeNext(1))
        let next = EpochID(number: try engine(0).newestEpoch().0.number + 1, maker: number(0))
        try tell([epoch(next, for: 3)], to: [0, 1])
        try engine(0).removeReplicaDevice(number(2))
        try fleet.settle([0, 1, 3])
        try save(0, "new")
        try fleet.settle([0, 1, 3])
        #expect(try message(3, "new") != nil)
    }

    // MARK: Members

    @Test func `a member record with keys of another number makes the batch malformed`() throws {
        let keys = try ReplicaDeviceKeys.generate()
        let record = MemberRecord(
            device: keys.number ^ 1, signingKey: keys.signingKey, receivingKey: keys.receivingKey, name: "other")
        #expect(try puppet.tell([.member(record)], to: 0) == .refused(.malformed))
        #expect(try fleet.status(0).devices.allSatisfy { $0.device != record.device })
    }

    @Test func `the number of members is limited, whether records add or remove them`() throws {
        for _ in 0..<3 {
            let members = try (0..<30).map { _ -> ReplicaRecord in
                let keys = try ReplicaDeviceKeys.generate()
                return .member(
                    MemberRecord(
                        device: keys.number, signingKey: keys.signingKey, receivingKey: keys.receivingKey,
                        name: "many"))
            }
            try tell(members, to: [0])
        }
        let removals = (UInt64(1)...90).map { number -> ReplicaRecord in
            .memberRemoval(MemberRemovalRecord(device: number, throughSequence: 0))
        }
        try tell(removals, to: [0])
        #expect(try engine(0).rowCount(of: "replica_members") == ReplicaLimits.membersMax)
        // The existing members are still accepted and can be removed.
        try engine(0).removeReplicaDevice(puppet.number)
        try save(1, "heard")
        try fleet.publish(1)
        while try fleet.deliver(from: 1, to: 0) {}
        #expect(try message(0, "heard") != nil)
    }
}

extension ReplicaPuppet {
    /// Marks the puppet as the device that invited the store, so that the store trusts the keys that the puppet sends.
    func letIn(_ index: Int) throws {
        let device = number
        try fleet.devices[index].engine.writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                guard var member = try ReplicaMemberRows.read(device, connection) else { return }
                member.isInviter = true
                try ReplicaMemberRows.write(member, connection)
            }
        }
    }
}
