import ReplicaModel
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Tests keys that are made while a device is away, and whose messages the stream no longer has when the device
/// returns.
@Suite struct ReplicaAwayKeyTests {
    let ann = ConversationReference.session(SessionID(trusted: "ann"))

    private func save(_ fleet: ReplicaFleet, _ device: Int, _ id: String, text: String = "text") throws {
        try fleet.devices[device].engine.write(
            .saveMessage(NewMessage(id: EntityID(id), conversation: ann, text: text)))
    }

    private func message(_ fleet: ReplicaFleet, _ device: Int, _ id: String) throws -> StoredMessage? {
        try fleet.reader(device).message(EntityID(id))
    }

    private func expectSame(_ fleet: ReplicaFleet, _ devices: [Int]) throws {
        let (epoch, key) = try fleet.devices[devices[0]].engine.newestEpoch()
        let content = try fleet.content(devices[0])
        for device in devices.dropFirst() {
            let other = try fleet.devices[device].engine.newestEpoch()
            #expect(other.0 == epoch)
            #expect(other.1 == key)
            #expect(try fleet.content(device) == content)
        }
        for device in devices {
            #expect(try fleet.status(device).devices.allSatisfy { $0.fault == nil })
        }
    }

    @Test func `a device that was away while several devices made keys gets them with its snapshot`() throws {
        let fleet = try ReplicaFleet(deviceCount: 7, seed: 1, kinds: [])
        let before = try fleet.devices[2].engine.newestEpoch().0
        for (remover, removed) in [(1, 3), (0, 4), (6, 5)] {
            try save(fleet, remover, "by \(remover)")
            try fleet.devices[remover].engine.removeReplicaDevice(fleet.devices[removed].number)
            try fleet.settle([0, 1, 6])
        }
        #expect(try fleet.devices[0].engine.newestEpoch().0.number == before.number + 3)
        fleet.log.trim(keeping: 0)
        try save(fleet, 0, "behind")
        try save(fleet, 2, "own")
        try fleet.settle([0, 1, 2, 6])
        try expectSame(fleet, [0, 1, 2, 6])
        #expect(try message(fleet, 2, "behind") != nil)
        #expect(try message(fleet, 0, "own") != nil)
        let epochCount = try fleet.devices[2].engine.rowCount(of: "replica_epochs")
        #expect(epochCount == 4)
        // From now on the device exchanges changes with the others.
        try save(fleet, 2, "again")
        try fleet.settle([0, 1, 2, 6])
        try expectSame(fleet, [0, 1, 2, 6])
    }

    @Test func `a key that is made during a snapshot is in it, after the removed device, and contains no name`()
        throws
    {
        let fleet = try ReplicaFleet(deviceCount: 4, seed: 1, kinds: [])
        let before = try fleet.devices[2].engine.newestEpoch().0
        for number in 0..<300 {
            try save(fleet, 0, "old \(number)", text: String(repeating: "long ", count: 500))
        }
        try fleet.settle([0, 1])
        fleet.log.trim(keeping: 1)
        while try fleet.takeNext(2) {}
        #expect(try fleet.deliver(from: 0, to: 2) == false)
        try fleet.publish(2)
        let awaited = try #require(try fleet.devices[2].engine.awaited())
        let maker = try #require(fleet.index(of: awaited.maker))
        while try fleet.deliver(from: 2, to: maker) {}
        let channel = ReplicaChannel.snapshot(awaited.id)
        let first = try #require(try fleet.take(maker, channel, storedThrough: 0).first)
        fleet.log.append(channel, first.sequence, first.bytes)
        let other = 1 - maker
        try fleet.devices[other].engine.removeReplicaDevice(fleet.devices[3].number)
        try fleet.publish(other)
        while try fleet.deliver(from: other, to: maker) {}
        // The stream loses the messages of the device that made the key. So the device that waits for the snapshot can
        // get the key only from the snapshot.
        fleet.forget(other)
        try fleet.settle([0, 1, 2])
        try expectSame(fleet, [0, 1, 2])
        let after = try fleet.devices[2].engine.newestEpoch().0
        #expect(after != before)
        let chunks = try (1...fleet.log.lastSequence(channel)).map { sequence in
            try #require(fleet.log.message(channel, sequence))
        }
        let epochs = try chunks.map { try SnapshotChunkHeader(parsing: $0).epoch }
        let last = try #require(epochs.lastIndex(of: before))
        #expect(epochs[...last].allSatisfy { $0 == before })
        #expect(epochs[(last + 1)...].allSatisfy { $0 == after })
        #expect(last >= 1)
        #expect(last + 1 < epochs.count)
        let key = try #require(try fleet.devices[0].engine.knownKey(of: before))
        let plaintext = try SnapshotEnvelope.open(
            chunks[last], signingKey: fleet.devices[maker].engine.signingKey(),
            epochKey: EpochKey(bytes: SecretBytes(copying: key)))
        // The record with the clock of the snapshot's maker is left out.
        let records = try plaintext.withUnsafeBytes { try ReplicaRecord.all(in: $0) }.filter {
            if case .time = $0 { false } else { true }
        }
        let removal = MemberRemovalRecord(
            device: fleet.devices[3].number,
            throughSequence: try #require(
                try fleet.status(0).devices.first { $0.device == fleet.devices[3].number }?.removedThrough))
        #expect(records.first == .memberRemoval(removal))
        let told = records.dropFirst().compactMap { if case .epoch(let record) = $0 { record } else { nil } }
        #expect(told.map(\.id) == [before, after])
        #expect(records.count == 3)
        #expect(told.allSatisfy { $0.grants.map(\.device) == [fleet.devices[2].number] })
    }

    @Test func `a device that joins while a key is made gets the key too`() throws {
        let fleet = try ReplicaFleet(deviceCount: 4, seed: 1, kinds: [])
        for number in 0..<300 {
            try save(fleet, 0, "old \(number)", text: String(repeating: "long ", count: 500))
        }
        try fleet.settle()
        try fleet.addStore()
        try fleet.ask(4, fleet.invite(0))
        try fleet.publish(4)
        #expect(try fleet.takeNext(0))
        let channel = try #require(try fleet.snapshots(madeBy: 0).first)
        let first = try #require(try fleet.take(0, channel, storedThrough: 0).first)
        fleet.log.append(channel, first.sequence, first.bytes)
        try fleet.devices[1].engine.removeReplicaDevice(fleet.devices[3].number)
        try fleet.publish(1)
        while try fleet.deliver(from: 1, to: 0) {}
        try fleet.publish(0)
        let third = try #require(fleet.log.message(channel, 3))
        #expect(try SnapshotChunkHeader(parsing: third).epoch.number == 2)
        try fleet.settle([0, 1, 2, 4])
        try expectSame(fleet, [0, 1, 2, 4])
        #expect(try fleet.status(4).state == .member)
    }

    @Test func `keys of a device that joined meanwhile are accepted before the device is known`() throws {
        let fleet = try ReplicaFleet(deviceCount: 4, seed: 1, kinds: [])
        try fleet.addStore()
        try fleet.join(4, by: 0)
        try fleet.devices[4].engine.removeReplicaDevice(fleet.devices[3].number)
        try save(fleet, 4, "missed")
        try fleet.settle([0, 1, 4])
        fleet.log.trim(keeping: 0)
        try save(fleet, 0, "a")
        try save(fleet, 4, "b")
        try fleet.settle([0, 1, 2, 4])
        for id in ["missed", "a", "b"] {
            #expect(try message(fleet, 2, id) != nil)
        }
        try expectSame(fleet, [0, 1, 2, 4])
    }

    @Test func `the inviter of a device that was removed meanwhile does not give it the new key`() throws {
        let fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
        try fleet.addStore()
        try fleet.join(3, by: 2)
        try fleet.settle()
        try fleet.devices[1].engine.removeReplicaDevice(fleet.devices[3].number)
        try save(fleet, 0, "missed")
        try fleet.settle([0, 1])
        fleet.log.trim(keeping: 0)
        try save(fleet, 0, "a")
        try fleet.settle([0, 1, 2])
        try expectSame(fleet, [0, 1, 2])
        let newest = try fleet.devices[2].engine.newestEpoch().0
        #expect(newest.maker == fleet.devices[1].number)
        for device in 0..<3 {
            #expect(try !fleet.devices[device].engine.isSaidToHave(newest, fleet.devices[3].number))
        }
    }

    @Test func `the device of a batch whose key is lost is asked for it after two minutes, once`() throws {
        let fleet = try ReplicaFleet(deviceCount: 4, seed: 1, kinds: [])
        try fleet.devices[1].engine.removeReplicaDevice(fleet.devices[3].number)
        try fleet.settle([0, 1])
        fleet.forget(1)
        try save(fleet, 0, "a")
        try fleet.publish(0)
        let channel = ReplicaChannel.device(fleet.devices[0].number)
        let away = fleet.devices[2].engine
        let place = try #require(try fleet.status(2).followed.first { $0.channel == channel })
        let batch = try #require(fleet.log.next(channel, after: place.sequence)).bytes
        for _ in 0..<3 {
            #expect(try fleet.handIn(2, channel, batch) == .waits(.epochUnknown))
        }
        try away.passReplicaTime(seconds: 119)
        #expect(try fleet.handIn(2, channel, batch) == .waits(.epochUnknown))
        #expect(try away.awaited() == nil)
        try away.passReplicaTime(seconds: 2)
        #expect(try fleet.handIn(2, channel, batch) == .waits(.epochUnknown))
        #expect(try away.awaited()?.maker == fleet.devices[0].number)
        // The waiting device asks no other device for hours, whether or not there was an answer. Then it asks another
        // device.
        try away.await(nil)
        try away.passReplicaTime(seconds: 21_500)
        #expect(try fleet.handIn(2, channel, batch) == .waits(.epochUnknown))
        #expect(try away.awaited() == nil)
        try away.passReplicaTime(seconds: 101)
        #expect(try fleet.handIn(2, channel, batch) == .waits(.epochUnknown))
        #expect(try away.awaited().map { $0.maker != fleet.devices[0].number } == true)
        // The device that is asked next may be the removed one, so there are two rounds.
        for _ in 0..<2 {
            try fleet.settle([0, 1, 2])
            try away.passReplicaTime(seconds: 3_601)
        }
        try fleet.settle([0, 1, 2])
        try expectSame(fleet, [0, 1, 2])
        #expect(try away.arrears(of: fleet.devices[0].number)?.keyAwaitedSince == nil)
    }

    // MARK: Removed devices

    @Test func `a device that is known to be removed gets no snapshot, whenever it asks`() throws {
        let fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
        let puppet = try ReplicaPuppet(fleet)
        let maker = fleet.devices[0].number
        let request = { ReplicaRecord.snapshotRequest(SnapshotRequestRecord(id: .random(), maker: maker)) }
        // A snapshot that was begun for a device ends when the device is removed.
        try puppet.tell([request()], to: 0)
        #expect(try fleet.snapshots(madeBy: 0).count == 1)
        let count = try fleet.devices[0].engine.rowCount(of: "replica_snapshots")
        let late = try puppet.batch([request()])
        let channel = ReplicaChannel.device(puppet.number)
        for batch in puppet.batches {
            _ = try fleet.handIn(1, channel, batch)
        }
        try fleet.devices[1].engine.removeReplicaDevice(puppet.number)
        try fleet.publish(1)
        while try fleet.deliver(from: 1, to: 0) {}
        #expect(try fleet.snapshots(madeBy: 0) == [])
        // The other store merged this batch before it removed the device, so this store has to merge it too.
        guard case .merged = try fleet.handIn(0, channel, late) else {
            Issue.record("a batch that came before the removal was not merged")
            return
        }
        #expect(try fleet.snapshots(madeBy: 0) == [])
        #expect(try fleet.devices[0].engine.rowCount(of: "replica_snapshots") == count)
    }

    @Test func `the remover of a device replaces a key that the device got in a snapshot meanwhile`() throws {
        let fleet = try ReplicaFleet(deviceCount: 4, seed: 1, kinds: [])
        // If two keys were made at the same time, the key of the device with the greater number counts as newer. So
        // `maker` is that device.
        let (remover, maker) = fleet.devices[1].number < fleet.devices[2].number ? (1, 2) : (2, 1)
        let puppet = try ReplicaPuppet(fleet, knownTo: [0, remover])
        let ask = try puppet.batch([
            .snapshotRequest(SnapshotRequestRecord(id: .random(), maker: fleet.devices[0].number))
        ])
        try fleet.devices[maker].engine.removeReplicaDevice(fleet.devices[3].number)
        try fleet.publish(maker)
        while try fleet.deliver(from: maker, to: 0) {}
        _ = try fleet.handIn(0, .device(puppet.number), ask)
        try fleet.publish(0)
        let given = try fleet.devices[0].engine.newestEpoch().0
        #expect(given.maker == fleet.devices[maker].number)
        try fleet.devices[remover].engine.removeReplicaDevice(puppet.number)
        #expect(try fleet.devices[remover].engine.newestEpoch().0 < given)
        try fleet.settle([0, 1, 2])
        try expectSame(fleet, [0, 1, 2])
        let newest = try fleet.devices[0].engine.newestEpoch().0
        #expect(newest.number == given.number + 1)
        #expect(try !fleet.devices[0].engine.isSaidToHave(newest, puppet.number))
    }

    @Test func `chunks of a removed maker are refused, and another device is asked`() throws {
        let fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
        let puppet = try ReplicaPuppet(fleet)
        let id = ReplicaID.random()
        try fleet.devices[2].engine.await(
            ReplicaGroupRow.AwaitedSnapshot(id: id, maker: puppet.number, heardAt: .now))
        let next = EpochID(
            number: try fleet.devices[2].engine.newestEpoch().0.number + 1, maker: fleet.devices[0].number)
        let chunk = try puppet.chunk(of: id, [fleet.epoch(next, EpochKey.generate(), for: 2)])
        try fleet.devices[1].engine.removeReplicaDevice(puppet.number)
        try fleet.publish(1)
        while try fleet.deliver(from: 1, to: 2) {}
        #expect(try fleet.handIn(2, .snapshot(id), chunk) == .refused(.deviceRemoved))
        #expect(try fleet.devices[2].engine.knownKey(of: next) == nil)
        try fleet.collect(2)
        let asked = try #require(try fleet.devices[2].engine.awaited())
        #expect(asked.id != id)
        #expect(asked.maker != puppet.number)
        try fleet.settle()
        #expect(try fleet.devices[2].engine.awaited() == nil)
    }
}
