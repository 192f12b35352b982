import ReplicaModel
import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that a batch waits for the batches that its device had merged. Otherwise a change that was made with
/// knowledge of another change could be taken for a conflict.
@Suite struct ReplicaBatchOrderTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 4, seed: 1, kinds: [])
    }

    private func path(_ text: String) throws -> FilePath { try FilePath(.document, text) }

    private func saveFile(_ device: Int, _ text: String, _ bytes: [UInt8]) throws {
        try engine(device).write(.saveFile(path(text), bytes, createsParents: true))
    }

    private func merge(from origin: Int, on device: Int) throws {
        while try fleet.deliver(from: origin, to: device) {}
    }

    /// Hands in the next batch of a device, as an agent does.
    private func handInNext(of origin: Int, on device: Int) throws -> ReplicaHandedIn {
        let channel = ReplicaChannel.device(number(origin))
        let place = try #require(try fleet.status(device).followed.first { $0.channel == channel })
        let (bytes, isOldestKept) = try #require(fleet.log.next(channel, after: place.sequence))
        return try fleet.handIn(device, channel, bytes, isOldestKept: isOldestKept)
    }

    private func conflictCopies(_ device: Int) throws -> [String] {
        try fleet.content(device).filter { $0.contains("(conflict") }
    }

    /// Lets device 0 save a file, device 1 replace it, and device 2 replace it again. Devices 1 and 2 have merged the
    /// earlier changes before. Device 0 has merged nothing since.
    private func replaceInTurn() throws {
        try saveFile(0, "f", [1])
        try fleet.publish(0)
        for device in 1...2 {
            for earlier in 0..<device { try merge(from: earlier, on: device) }
            try saveFile(device, "f", [UInt8(device) + 1])
            try fleet.publish(device)
        }
    }

    @Test func `a device that catches up in the wrong order makes no conflict copy of its own file`() throws {
        try replaceInTurn()
        #expect(try handInNext(of: 2, on: 0) == .waits(.otherBatch))
        try merge(from: 1, on: 0)
        try merge(from: 2, on: 0)
        #expect(try conflictCopies(0) == [])
        try fleet.settle()
        for device in 0..<4 {
            #expect(try fleet.content(device) == fleet.content(0), "device \(device)")
            #expect(try conflictCopies(device) == [])
        }
    }

    /// Tests a case in which devices that had changed nothing once renamed files of other devices: one device makes a
    /// directory and removes it, and another then saves a file there.
    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func `a device that only reads renames nothing, in whatever order it catches up`(order: [Int]) throws {
        try engine(0).write(.createDirectory(path("data"), createsParents: true))
        try fleet.publish(0)
        try engine(0).write(.removeDirectory(path("data"), withChildren: false))
        try fleet.publish(0)
        try merge(from: 0, on: 1)
        try saveFile(1, "data", [1])
        try fleet.publish(1)
        try merge(from: 0, on: 2)
        try merge(from: 1, on: 2)
        try engine(2).write(.moveFile(path("data"), to: path("moved")))
        try engine(2).write(.createDirectory(path("data"), createsParents: true))
        try saveFile(2, "data/inside", [2])
        try fleet.publish(2)
        let published = fleet.log.lastSequence(.device(number(3)))
        for _ in order {
            for origin in order { try merge(from: origin, on: 3) }
        }
        try fleet.publish(3)
        #expect(fleet.log.lastSequence(.device(number(3))) == published, "the reader has published something")
        try fleet.settle()
        for device in 0..<4 {
            #expect(try fleet.content(device) == fleet.content(2), "device \(device)")
            #expect(try conflictCopies(device) == [])
        }
    }

    @Test func `a batch waits at most a minute for another device, and the next batches do not wait again`() throws {
        try replaceInTurn()
        #expect(try handInNext(of: 2, on: 0) == .waits(.otherBatch))
        try engine(0).passReplicaTime(seconds: 59)
        #expect(try handInNext(of: 2, on: 0) == .waits(.otherBatch))
        try fleet.restart(0)
        try engine(0).passReplicaTime(seconds: 2)
        try merge(from: 2, on: 0)
        try saveFile(1, "g", [1])
        try fleet.publish(1)
        try merge(from: 1, on: 2)
        try saveFile(2, "g", [2])
        try fleet.publish(2)
        try merge(from: 2, on: 0)
        try fleet.settle()
        let place = try path("g").text
        let lines = try fleet.content(0)
        #expect(lines.contains { $0.hasPrefix("at \(place)\0") })
        // After all batches of the second device have arrived, other batches wait for its batches again.
        try saveFile(1, "h", [1])
        try fleet.publish(1)
        try merge(from: 1, on: 2)
        try saveFile(2, "h", [2])
        try fleet.publish(2)
        #expect(try handInNext(of: 2, on: 0) == .waits(.otherBatch))
    }

    @Test func `no batch waits for a device whose batches the stream has lost`() throws {
        try replaceInTurn()
        fleet.forget(1)
        try save(1, "later")
        try fleet.publish(1)
        #expect(try handInNext(of: 1, on: 0) == .waits(.snapshot))
        guard case .merged = try handInNext(of: 2, on: 0) else {
            Issue.record("the batch waits for lost batches")
            return
        }
    }

    @Test func `a device that names batches which do not exist delays only itself, and only for a minute`() throws {
        let puppet = try ReplicaPuppet(fleet, knownTo: [0])
        let last = KnownBatchesRecord.Last(device: number(1), sequence: 1 << 62)
        let batch = try puppet.batch([.knownBatches(KnownBatchesRecord(last: [last]))])
        #expect(try fleet.handIn(0, .device(puppet.number), batch) == .waits(.otherBatch))
        try save(1, "m")
        try fleet.publish(1)
        try merge(from: 1, on: 0)
        #expect(try message(0, "m") != nil)
        try engine(0).passReplicaTime(seconds: 61)
        #expect(try fleet.handIn(0, .device(puppet.number), batch) == .merged(nextSequence: 2))
    }

    @Test(arguments: [0, 1]) func `batches that name their own device or the reader do not wait`(named: Int) throws {
        let puppet = try ReplicaPuppet(fleet, knownTo: [0])
        let device = named == 0 ? number(0) : puppet.number
        let last = KnownBatchesRecord.Last(device: device, sequence: 1 << 62)
        let outcome = try puppet.tell([.knownBatches(KnownBatchesRecord(last: [last]))], to: 0)
        #expect(outcome == .merged(nextSequence: 2))
    }

    @Test func `the next batch of a device says which batches of another device it has merged`() throws {
        try save(0, "m")
        try fleet.settle()
        let sent = try fleet.status(0).lastSequence
        try save(1, "answer")
        try fleet.settle()
        let device = try #require(try fleet.status(0).devices.first { $0.device == number(1) })
        #expect(device.heldSequence >= sent)
    }

    @Test func `a batch names only devices whose batches were merged since the previous batch`() throws {
        try save(0, "m")
        try fleet.settle()
        func named() throws -> [[UInt64]] {
            try fleet.told(by: 1).compactMap { record in
                guard case .knownBatches(let known) = record, !known.last.isEmpty else { return nil }
                return known.last.map(\.device)
            }
        }
        try save(1, "first")
        try fleet.publish(1)
        #expect(try named().last?.contains(number(0)) == true)
        let count = try named().count
        try save(1, "second")
        try fleet.publish(1)
        #expect(try named().count == count, "nothing was merged in between")
    }
}
