import ReplicaModel
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Tests false keys that the maker of a snapshot sends in the name of other devices.
@Suite struct ReplicaFalseKeyTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet
    let puppet: ReplicaPuppet
    let before: EpochID

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 4, seed: 1, kinds: [])
        puppet = try ReplicaPuppet(fleet)
        before = try fleet.devices[0].engine.newestEpoch().0
    }

    private func channel(_ device: Int) -> ReplicaChannel { .device(fleet.devices[device].number) }

    private func next(by device: Int, _ count: UInt32 = 1) -> EpochID {
        EpochID(number: before.number + count, maker: fleet.devices[device].number)
    }

    /// Gives device 2 a false key for the next epoch of device 1. Then device 1 makes that epoch, and device 0 writes
    /// with the true key. Returns the batch of device 0.
    private func divide() throws -> [UInt8] {
        _ = try puppet.tellSnapshot([fleet.epoch(next(by: 1), EpochKey.generate(), for: 2)], to: 2)
        #expect(try engine(2).newestEpoch().0 == next(by: 1))
        try engine(1).removeReplicaDevice(fleet.devices[3].number)
        try fleet.settle([0, 1])
        try save(0, "a")
        try fleet.publish(0)
        fleet.forget(1)
        let place = try #require(try fleet.status(2).followed.first { $0.channel == channel(0) })
        return try #require(fleet.log.next(channel(0), after: place.sequence)).bytes
    }

    @Test func `a false key from a snapshot is replaced by the true key of its maker, who is asked for it`() throws {
        let batch = try divide()
        #expect(try fleet.handIn(2, channel(0), batch) == .waits(.epochUnknown))
        #expect(try engine(2).awaited()?.maker == fleet.devices[1].number)
        try fleet.publish(2)
        let request = try #require(fleet.log.message(channel(2), fleet.log.lastSequence(channel(2))))
        #expect(try BatchHeader(parsing: request).epoch == before)
        try fleet.settle([0, 1, 2])
        #expect(try engine(2).makeReader().message(EntityID("a")) != nil)
        for device in 0..<3 {
            #expect(try engine(device).newestEpoch().0 == next(by: 1))
            #expect(try engine(device).newestEpoch().1 == engine(1).newestEpoch().1)
            #expect(try fleet.status(device).devices.allSatisfy { $0.fault == nil })
        }
        try save(2, "b")
        try fleet.settle([0, 1, 2])
        #expect(try engine(0).makeReader().message(EntityID("b")) != nil)
    }

    @Test func `the maker of a key is asked for it at most once in six hours`() throws {
        let batch = try divide()
        #expect(try fleet.handIn(2, channel(0), batch) == .waits(.epochUnknown))
        for _ in 0..<3 {
            try engine(2).await(nil)
            try engine(2).passReplicaTime(seconds: 7_100)
            #expect(try fleet.handIn(2, channel(0), batch) == .waits(.epochUnknown))
            #expect(try engine(2).awaited() == nil)
        }
        try engine(2).passReplicaTime(seconds: 301)
        #expect(try fleet.handIn(2, channel(0), batch) == .waits(.epochUnknown))
        #expect(try engine(2).awaited()?.maker == fleet.devices[1].number)
    }

    @Test func `a batch that the maker of its key cannot open puts its device at fault`() throws {
        let batch = try puppet.batch([], otherKey: [UInt8](repeating: 7, count: 32))
        #expect(try fleet.handIn(1, .device(puppet.number), batch) == .waits(.epochUnknown))
        // Device 0 made the epoch, so it has the true key and knows that the batch is wrong.
        #expect(try fleet.handIn(0, .device(puppet.number), batch) == .refused(.notOpened))
        #expect(try fleet.status(0).devices.first { $0.device == puppet.number }?.fault == .notOpened)
    }

    @Test func `a snapshot may contain epochs whose numbers are up to 1,024 greater`() throws {
        let most = UInt32(ReplicaLimits.snapshotKeysMax)
        _ = try puppet.tellSnapshot([fleet.epoch(next(by: 1, most + 1), EpochKey.generate(), for: 2)], to: 2)
        #expect(try engine(2).newestEpoch().0 == before)
        _ = try puppet.tellSnapshot([fleet.epoch(next(by: 1, most), EpochKey.generate(), for: 2)], to: 2)
        #expect(try engine(2).newestEpoch().0 == next(by: 1, most))
    }

    @Test func `a key is accepted only from the maker of the awaited snapshot, and never replaces a known one`()
        throws
    {
        let known = try engine(2).newestEpoch()
        try puppet.tell([fleet.epoch(next(by: 1), EpochKey.generate(), for: 2)], to: 2)
        #expect(try engine(2).newestEpoch().0 == before)
        _ = try puppet.tellSnapshot([fleet.epoch(before, EpochKey.generate(), for: 2)], to: 2)
        #expect(try engine(2).newestEpoch().0 == known.0)
        #expect(try engine(2).newestEpoch().1 == known.1)
    }
}
