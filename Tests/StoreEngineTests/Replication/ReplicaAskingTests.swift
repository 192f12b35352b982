import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests the requests of devices for snapshots and contents of other devices.
@Suite struct ReplicaAskingTests: ReplicaFleetSuite {
    let clocks = FakeClocks()
    let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [], clocks: clocks.clocks)
    }

    private func request(_ id: ReplicaID) -> ReplicaRecord {
        .snapshotRequest(SnapshotRequestRecord(id: id, maker: fleet.devices[0].number))
    }

    // MARK: Snapshots

    @Test func `one snapshot is made for a device at a time, and for few devices at once`() throws {
        let puppet = try ReplicaPuppet(fleet)
        let ids = (0..<20).map { _ in ReplicaID.random() }
        for id in ids {
            try puppet.tell([request(id)], to: 0)
        }
        #expect(try fleet.snapshots(madeBy: 0) == [.snapshot(ids[19])])
        for _ in 0..<8 {
            try ReplicaPuppet(fleet).tell([request(.random())], to: 0)
        }
        #expect(try fleet.snapshots(madeBy: 0).count == ReplicaLimits.snapshotsMax)
        try engine(0).removeReplicaDevice(puppet.number)
        #expect(try fleet.snapshots(madeBy: 0).count == ReplicaLimits.snapshotsMax - 1)
    }

    @Test func `no second snapshot is made with the same id`() throws {
        let puppet = try ReplicaPuppet(fleet)
        let id = ReplicaID.random()
        try puppet.tell([request(id)], to: 0)
        let first = try #require(try fleet.take(0, .snapshot(id), storedThrough: 0).first)
        try puppet.tell([request(.random())], to: 0)
        try save(0, "other")
        try puppet.tell([request(id)], to: 0)
        let again = try fleet.take(0, .snapshot(id), storedThrough: 0)
        #expect(again.allSatisfy { $0.bytes == first.bytes })
        #expect(try !fleet.snapshots(madeBy: 0).contains(.snapshot(id)))
    }

    @Test func `a snapshot with a false position of a device does not put the device at fault`() throws {
        let puppet = try ReplicaPuppet(fleet)
        try save(0, "a")
        try fleet.publish(0)
        let channel = ReplicaChannel.device(fleet.devices[0].number)
        let id = ReplicaID.random()
        try engine(2).await(ReplicaGroupRow.AwaitedSnapshot(id: id, maker: puppet.number, heardAt: clocks.wall))
        let position = PositionsRecord.Position(
            device: fleet.devices[0].number, sequence: fleet.log.lastSequence(channel),
            hash: [UInt8](repeating: 5, count: PositionsRecord.hashBytes))
        let chunk = try puppet.chunk(of: id, [.positions(PositionsRecord(positions: [position]))])
        #expect(try fleet.handIn(2, .snapshot(id), chunk) == .merged(nextSequence: 2))
        #expect(try message(2, "a") == nil)
        try save(0, "b")
        try fleet.publish(0)
        let next = try #require(fleet.log.message(channel, fleet.log.lastSequence(channel)))
        #expect(try fleet.handIn(2, channel, next) == .waits(.snapshot))
        try fleet.settle()
        #expect(try fleet.status(2).devices.allSatisfy { $0.fault == nil })
        #expect(try message(2, "a") != nil)
        #expect(try message(2, "b") != nil)
    }

    // MARK: Contents

    /// Lets device 1 release a content that device 2 uses in the message "second". At the end, device 1 has requested
    /// the content from device 2 and has no answer yet.
    private func loseContent() throws {
        let large = ReplicaContentTests.bytes(300_000)
        try engine(0).writeAttachment(large)
        try save(0, "first", [AttachmentStore.known(large)])
        try fleet.settle()
        try save(2, "second", [AttachmentStore.known(large)])
        try engine(1).write(.deleteMessages([EntityID("first")]))
        try fleet.collect(1)
        try engine(1).writer.waitForRemovals()
        try fleet.collect(2)
        for device in [0, 1] {
            while try fleet.deliver(from: 2, to: device) {}
        }
        try fleet.collect(1)
        #expect(try engine(1).missingContents().count == 1)
    }

    /// Lets more than six hours pass for device 1, the time after which it repeats a request.
    private func passAnswerTime() throws {
        try engine(1).passReplicaTime(seconds: 21_601)
    }

    private func isStored(_ device: Int) throws -> Bool? {
        try message(device, "second")?.attachments.first?.isStored
    }

    @Test func `a content that was requested from a removed device is requested from another`() throws {
        try loseContent()
        try engine(0).removeReplicaDevice(fleet.devices[2].number)
        try fleet.settle([0, 1])
        #expect(try isStored(1) == true)
    }

    @Test func `a content that does not come for hours is requested from the next device`() throws {
        try loseContent()
        try fleet.settle([0, 1])
        #expect(try isStored(1) == false)
        // Device 1 asks the others in some order. After two periods it has asked the device that is still there.
        for _ in 0..<2 {
            try passAnswerTime()
            try fleet.settle([0, 1])
        }
        #expect(try isStored(1) == true)
    }

    @Test func `a content is requested even if a member promises a batch with it that never comes`() throws {
        try loseContent()
        let puppet = try ReplicaPuppet(fleet)
        let notice = ContentNoticeRecord(
            digest: try #require(try engine(1).missingContents().first), device: fleet.devices[0].number,
            sequence: 1 << 60)
        try puppet.tell([.contentNotice(notice)], to: 1)
        try fleet.settle([0, 1])
        #expect(try isStored(1) == false)
        for _ in 0..<4 {
            try passAnswerTime()
            try fleet.settle([0, 1])
        }
        #expect(try isStored(1) == true)
    }
}
