import ReplicaModel
import SQLCipher
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

    /// Lets time pass for device 1: by default more than six hours, after which it repeats a request that every device
    /// has got.
    private func passAnswerTime(seconds: Int64 = 21_601) throws {
        try engine(1).passReplicaTime(seconds: seconds)
    }

    /// Returns the number of requests that device 1 has made for the content.
    private func requestCount() throws -> Int64 {
        try engine(1).writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return try mapped(connection.integer("SELECT asked_count FROM replica_missing_contents")) ?? 0
        }
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

    @Test func `a content that does not come for a minute is requested from the next device`() throws {
        try loseContent()
        try fleet.settle([0, 1])
        #expect(try isStored(1) == false)
        try passAnswerTime(seconds: 50)
        try fleet.settle([0, 1])
        #expect(try isStored(1) == false)
        #expect(try requestCount() == 1)
        try passAnswerTime(seconds: 11)
        try fleet.settle([0, 1])
        #expect(try isStored(1) == true)
    }

    @Test func `after a request to every device the next one comes after six hours`() throws {
        try loseContent()
        for count in [2, 2, 2] as [Int64] {
            try passAnswerTime(seconds: 700)
            try fleet.collect(1)
            #expect(try requestCount() == count)
        }
        try passAnswerTime()
        try fleet.collect(1)
        #expect(try requestCount() == 3)
    }

    @Test func `no other device is asked while the asked device sends something`() throws {
        try loseContent()
        for number in 0..<5 {
            try passAnswerTime(seconds: 61)
            try save(2, "more \(number)")
            try fleet.collect(2)
            while try fleet.deliver(from: 2, to: 1) {}
            try fleet.collect(1)
            #expect(try requestCount() == 1)
        }
        // A device that sends other things for ten minutes may not have the content.
        try passAnswerTime(seconds: 601)
        try fleet.collect(1)
        #expect(try requestCount() == 2)
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
