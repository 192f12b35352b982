import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests messages that the stream has lost after it acknowledged them, as a power cut of a server may cause.
@Suite struct ReplicaGapTests {
    private static let ann = ConversationReference.session(SessionID(trusted: "ann"))

    private func save(_ device: Int, _ id: String, in fleet: ReplicaFleet) throws {
        try fleet.devices[device].engine.write(
            .saveMessage(NewMessage(id: EntityID(id), conversation: Self.ann, text: "text")))
    }

    private func has(_ device: Int, _ id: String, in fleet: ReplicaFleet) throws -> Bool {
        try fleet.reader(device).message(EntityID(id)) != nil
    }

    /// Publishes a change of a device, and lets the stream lose it before any other device has received it.
    private func lose(_ id: String, of device: Int, in fleet: ReplicaFleet) throws {
        try save(device, id, in: fleet)
        try fleet.publish(device)
        fleet.forget(device)
    }

    private func passTime(_ seconds: Int64, in fleet: ReplicaFleet) throws {
        for device in fleet.devices {
            try device.engine.passReplicaTime(seconds: seconds)
        }
    }

    private func missing(_ device: Int, of other: Int, in fleet: ReplicaFleet) throws -> ReplicaStatus.Device? {
        try fleet.status(device).devices.first { $0.device == fleet.devices[other].number && $0.missingSince != nil }
    }

    private func expectInStep(_ fleet: ReplicaFleet) throws {
        for device in fleet.devices.indices {
            #expect(try fleet.content(device) == fleet.content(0), "device \(device)")
            #expect(try fleet.status(device).devices.allSatisfy { $0.missingSince == nil && $0.fault == nil })
        }
    }

    @Test(arguments: 2...4) func `all devices get one lost message from its device and stay in step`(count: Int)
        throws
    {
        let fleet = try ReplicaFleet(deviceCount: count, seed: 1, kinds: [])
        try lose("lost", of: 0, in: fleet)
        // Every other device has a change to publish, too.
        for device in 1..<count {
            try save(device, "m\(device)", in: fleet)
        }
        try save(0, "later", in: fleet)
        try fleet.settle()
        try expectInStep(fleet)
        for device in 1..<count {
            #expect(try has(device, "lost", in: fleet) && has(device, "later", in: fleet))
        }
        // The devices also stay in step after later changes.
        try save(0, "after", in: fleet)
        try fleet.settle()
        try expectInStep(fleet)
    }

    @Test(arguments: 2...4) func `a lost message is requested from its own device first, and the status shows the loss`(
        count: Int
    ) throws {
        let fleet = try ReplicaFleet(deviceCount: count, seed: 1, kinds: [])
        try lose("lost", of: 0, in: fleet)
        try save(0, "later", in: fleet)
        try fleet.publish(0)
        #expect(try missing(1, of: 0, in: fleet) == nil)
        _ = try fleet.takeNext(1)
        let gap = try #require(try missing(1, of: 0, in: fleet))
        #expect(gap.askedDevice == fleet.devices[0].number)
        #expect(gap.knownSequence == gap.mergedSequence + 2)
        #expect(try fleet.devices[1].engine.awaited()?.maker == fleet.devices[0].number)
        try fleet.restart(1)
        #expect(try missing(1, of: 0, in: fleet)?.missingSince == gap.missingSince)
        try fleet.settle()
        try expectInStep(fleet)
    }

    /// Tests the loss of a message whose device is off, while one other device has received the message.
    @Test func `if the device of a lost message is off, each other device is asked once, ten minutes apart`() throws {
        let fleet = try ReplicaFleet(deviceCount: 4, seed: 1, kinds: [])
        try save(0, "lost", in: fleet)
        try fleet.settle([0, 3])
        fleet.forget(0)
        try save(0, "later", in: fleet)
        try fleet.publish(0)
        for _ in 0..<4 {
            try fleet.settle([1, 2, 3])
            // The second call delivers the requests that the first call created, before time passes.
            try fleet.settle([1, 2, 3])
            try passTime(601, in: fleet)
        }
        for device in 1...3 {
            #expect(try has(device, "lost", in: fleet) && has(device, "later", in: fleet), "device \(device)")
        }
    }

    @Test func `after asking all others once, a device waits for the maker of the lost message`() throws {
        let fleet = try ReplicaFleet(deviceCount: 4, seed: 1, kinds: [])
        try lose("lost", of: 0, in: fleet)
        try save(0, "later", in: fleet)
        try fleet.publish(0)
        // None of the three devices has the message.
        for _ in 0..<30 {
            try fleet.settle([1, 2, 3])
            try passTime(601, in: fleet)
        }
        // A device repeats a request in each batch until it is answered, so requests are counted by their ids.
        var asked: [UInt64] = []
        var seen: Set<ReplicaID> = []
        for case .snapshotRequest(let request) in try fleet.told(by: 1) where seen.insert(request.id).inserted {
            asked.append(request.maker)
        }
        let numbers = fleet.devices.map(\.number)
        #expect(asked == [numbers[0]] + [numbers[2], numbers[3]].sorted() + [numbers[0]])
        try fleet.settle()
        try expectInStep(fleet)
        #expect(try has(1, "lost", in: fleet))
    }

    /// Two devices lack messages of each other. Each one's request for a snapshot is in a message that the other cannot
    /// merge, because an earlier message is missing.
    @Test(arguments: 2...4, [false, true]) func `devices that lack messages of each other get in step`(
        count: Int, isWiped: Bool
    ) throws {
        let fleet = try ReplicaFleet(deviceCount: count, seed: 1, kinds: [])
        for device in [0, 1] {
            try lose("lost \(device)", of: device, in: fleet)
        }
        if isWiped { fleet.log.forgetEverything() }
        // All devices publish more before they receive anything. So the requests are not in the first message that the
        // stream keeps.
        for round in 0..<2 {
            for device in fleet.devices.indices {
                try save(device, "m\(device) \(round)", in: fleet)
            }
            for device in fleet.devices.indices { try fleet.publish(device) }
        }
        try fleet.settle()
        for _ in 0..<3 {
            try passTime(601, in: fleet)
            try fleet.settle()
        }
        try expectInStep(fleet)
        for device in fleet.devices.indices {
            #expect(try has(device, "lost 0", in: fleet) && has(device, "lost 1", in: fleet), "device \(device)")
        }
    }

    @Test func `a request in an earlier batch than an accepted one is ignored`() throws {
        let fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
        let puppet = try ReplicaPuppet(fleet)
        let ids = (0..<2).map { _ in ReplicaID.random() }
        let batches = try ids.map { id in
            try puppet.batch([.snapshotRequest(SnapshotRequestRecord(id: id, maker: fleet.devices[0].number))])
        }
        #expect(try fleet.handIn(0, .device(puppet.number), batches[1]) == .waits(.earlierMessage(sequence: 1)))
        #expect(try fleet.snapshots(madeBy: 0) == [.snapshot(ids[1])])
        for batch in batches {
            _ = try fleet.handIn(0, .device(puppet.number), batch)
        }
        #expect(try fleet.snapshots(madeBy: 0) == [.snapshot(ids[1])])
    }

    @Test func `each batch repeats the request while a snapshot is awaited`() throws {
        let fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
        try lose("lost", of: 0, in: fleet)
        try save(0, "later", in: fleet)
        try fleet.publish(0)
        _ = try fleet.takeNext(1)
        let awaited = try #require(try fleet.devices[1].engine.awaited())
        for number in 0..<3 {
            try save(1, "m\(number)", in: fleet)
            try fleet.publish(1)
        }
        let requests = try fleet.told(by: 1).filter {
            $0 == .snapshotRequest(SnapshotRequestRecord(id: awaited.id, maker: awaited.maker))
        }
        #expect(requests.count == 4)
        try fleet.settle()
        try save(1, "quiet", in: fleet)
        try fleet.publish(1)
        #expect(try fleet.told(by: 1).count { if case .snapshotRequest = $0 { true } else { false } } == 4)
    }
}
