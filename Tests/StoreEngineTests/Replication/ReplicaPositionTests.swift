import ReplicaModel
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Tests that devices publish their positions, so that no device misses messages of a device that is silent now.
@Suite struct ReplicaPositionTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 4, seed: 1, kinds: [])
    }

    private func lastSequences() -> [UInt64] {
        fleet.devices.map { fleet.log.lastSequence(.device($0.number)) }
    }

    private func positions(_ places: [(device: UInt64, sequence: UInt64)]) -> ReplicaRecord {
        .positions(
            PositionsRecord(
                positions: places.map { place in
                    PositionsRecord.Position(
                        device: place.device, sequence: place.sequence,
                        hash: [UInt8](repeating: 1, count: PositionsRecord.hashBytes))
                }))
    }

    /// Lets the stream lose a message of device 1 that device 0 has received. Device 1 publishes nothing after that.
    private func lose() throws {
        try save(1, "lost")
        try fleet.settle([0, 1, 3])
        fleet.forget(1)
    }

    // MARK: Published positions

    @Test func `a lost message of a silent device is noticed within minutes and requested`() throws {
        try lose()
        try fleet.settle([0, 2])
        try engine(2).passReplicaTime(seconds: 601)
        try fleet.settle([0, 2])
        #expect(try engine(2).awaited() == nil)
        #expect(try message(2, "lost") == nil)
        try engine(0).passReplicaTime(seconds: 61)
        try fleet.settle([0, 2])
        #expect(try engine(2).awaited() == nil)
        try engine(2).passReplicaTime(seconds: 590)
        try fleet.settle([0, 2])
        #expect(try engine(2).awaited() == nil)
        #expect(try message(2, "lost") == nil)
        try engine(2).passReplicaTime(seconds: 11)
        try fleet.collect(2)
        #expect(try engine(2).awaited()?.maker == number(0))
        try fleet.settle([0, 2])
        #expect(try message(2, "lost") != nil)
        #expect(try fleet.content(2) == fleet.content(0))
    }

    @Test func `a device that makes a key publishes its positions`() throws {
        try lose()
        try engine(0).removeReplicaDevice(number(3))
        try fleet.settle([0, 2])
        try engine(2).passReplicaTime(seconds: 601)
        try fleet.settle([0, 2])
        #expect(try message(2, "lost") != nil)
    }

    @Test func `lost messages of a removed device are noticed up to its last accepted batch`() throws {
        try lose()
        try engine(0).removeReplicaDevice(number(1))
        try fleet.settle([0, 2])
        let through = try #require(
            try fleet.status(2).devices.first { $0.device == number(1) }?.removedThrough)
        #expect(try engine(2).arrears(of: number(1))?.reportedSequence == through)
        let puppet = try ReplicaPuppet(fleet)
        try puppet.tell([positions([(number(1), 1 << 40)])], to: 2)
        #expect(try engine(2).arrears(of: number(1))?.reportedSequence == through)
        try engine(2).passReplicaTime(seconds: 601)
        try fleet.settle([0, 2])
        #expect(try message(2, "lost") != nil)
    }

    @Test func `another device is asked if the first one does not answer`() throws {
        try lose()
        try engine(0).passReplicaTime(seconds: 86_401)
        try fleet.settle([0, 2])
        try engine(2).passReplicaTime(seconds: 601)
        try fleet.collect(2)
        #expect(try engine(2).awaited()?.maker == number(0))
        // Device 0 is off now, too.
        try engine(2).passReplicaTime(seconds: 3_590)
        try fleet.collect(2)
        #expect(try engine(2).awaited()?.maker == number(0))
        for _ in 0..<2 where try message(2, "lost") == nil {
            try engine(2).passReplicaTime(seconds: 3_601)
            try fleet.settle([2, 3])
        }
        #expect(try message(2, "lost") != nil)
    }

    @Test func `each device is asked in turn while none answers, even if some of them send other messages`() throws {
        try lose()
        try engine(0).passReplicaTime(seconds: 86_401)
        try fleet.settle([0, 2])
        try engine(2).passReplicaTime(seconds: 601)
        try fleet.collect(2)
        var asked: [UInt64] = []
        for talking in [0, 3, 0] {
            asked.append(try #require(try engine(2).awaited()).maker)
            try save(talking, "m\(asked.count)")
            try fleet.publish(talking)
            while try fleet.deliver(from: talking, to: 2) {}
            try engine(2).passReplicaTime(seconds: 3_601)
            try fleet.collect(2)
        }
        #expect(Set(asked) == [number(0), number(1), number(3)])
    }

    @Test func `no device is asked while the missing batches are arriving`() throws {
        for number in 0..<2 {
            try save(1, "m\(number)")
            try fleet.settle([0, 1, 3])
        }
        try engine(0).passReplicaTime(seconds: 86_401)
        try fleet.publish(0)
        while try fleet.deliver(from: 0, to: 2) {}
        #expect(try engine(2).arrears(of: number(1))?.reportedAt != nil)
        try engine(2).passReplicaTime(seconds: 601)
        #expect(try fleet.deliver(from: 1, to: 2))
        try fleet.collect(2)
        #expect(try engine(2).awaited() == nil)
        try fleet.settle()
        try engine(2).passReplicaTime(seconds: 601)
        try fleet.collect(2)
        #expect(try engine(2).awaited() == nil)
    }

    // MARK: Positions of other devices

    private func held(_ device: Int, by other: Int) throws -> (sequence: UInt64, at: Timestamp?) {
        let known = try #require(try fleet.status(device).devices.first { $0.device == number(other) })
        return (known.heldSequence, known.heldAt)
    }

    @Test func `a device learns what others have of it with their next change, or after a minute`() throws {
        try save(0, "first")
        try fleet.settle()
        let sent = try fleet.status(0).lastChangeSequence
        #expect(try held(0, by: 1).sequence < sent)
        try save(1, "answer")
        try fleet.settle()
        #expect(try held(0, by: 1).sequence >= sent)
        #expect(try held(0, by: 1).at != nil)
        try engine(2).passReplicaTime(seconds: 59)
        try fleet.settle()
        #expect(try held(0, by: 2).sequence < sent)
        try engine(2).passReplicaTime(seconds: 2)
        try fleet.settle()
        #expect(try held(0, by: 2).sequence >= sent)
    }

    @Test func `devices answer changes once, and answer no answers`() throws {
        try save(0, "first")
        try fleet.settle()
        let before = lastSequences()
        for _ in 0..<5 {
            for device in 0..<4 { try engine(device).passReplicaTime(seconds: 61) }
            try fleet.settle()
        }
        #expect(zip(before, lastSequences()).map { $1 - $0 } == [0, 1, 1, 1])
        for device in 0..<4 {
            for other in try fleet.status(device).devices {
                #expect(try other.heldSequence >= fleet.status(device).lastChangeSequence)
            }
        }
    }

    @Test func `a snapshot also contains the positions of its maker`() throws {
        try save(2, "made")
        try fleet.settle()
        let made = try fleet.status(2).lastSequence
        #expect(try held(2, by: 0).sequence < made)
        try lose()
        try fleet.settle([0, 2])
        try engine(0).passReplicaTime(seconds: 86_401)
        try fleet.settle([0, 2])
        try engine(2).passReplicaTime(seconds: 601)
        try fleet.settle([0, 2])
        #expect(try message(2, "lost") != nil)
        #expect(try held(2, by: 0).sequence >= made)
    }

    @Test func `a position beyond the last message of a device is ignored`() throws {
        let puppet = try ReplicaPuppet(fleet)
        let last = try fleet.status(2).lastSequence
        let told = { [self] in try fleet.status(2).devices.first { $0.device == puppet.number } }
        try puppet.tell([positions([(number(2), last + 1)])], to: 2)
        #expect(try told()?.heldAt == nil && told()?.heldSequence == 0)
        try puppet.tell([positions([(number(2), last)])], to: 2)
        #expect(try told()?.heldSequence == last)
    }

    @Test func `changes that are not replicated make a device publish nothing`() throws {
        let selection = try #require(ReplicaSelection([ReplicaSelection.Rule(area: .contacts, pattern: nil)]))
        let fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [], selection: selection)
        let before = try fleet.status(0).lastSequence
        try fleet.devices[0].engine.passReplicaTime(seconds: 601)
        try fleet.devices[0].engine.write(
            .saveMessage(NewMessage(id: EntityID("m"), conversation: ann, text: "text")))
        try fleet.settle()
        #expect(try fleet.status(0).lastSequence == before)
    }

    // MARK: Silence

    @Test func `in a group at rest each device publishes one message a day`() throws {
        try fleet.settle()
        let before = lastSequences()
        for day in UInt64(1)...3 {
            for device in 0..<4 {
                try engine(device).passReplicaTime(seconds: 86_000)
            }
            try fleet.settle()
            #expect(lastSequences() == before.map { $0 + day - 1 })
            for device in 0..<4 {
                try engine(device).passReplicaTime(seconds: 401)
            }
            for _ in 0..<3 {
                try fleet.settle()
                try fleet.restart(0)
            }
            #expect(lastSequences() == before.map { $0 + day })
        }
        #expect(fleet.log.differingCount == 0)
    }

    @Test func `a store that is alone in its group publishes nothing`() throws {
        let alone = try ReplicaFleet(deviceCount: 1, seed: 1, kinds: [])
        try alone.devices[0].engine.passReplicaTime(seconds: 86_401)
        try alone.settle()
        #expect(try alone.status(0).lastSequence == 0)
    }

    @Test func `a time in the future counts as past, because the clock was set back`() {
        let now = Timestamp(microseconds: 1_000)
        for (moment, isPassed) in [(989, true), (990, true), (991, false), (1_000, false), (1_001, true)] {
            let moment = Timestamp(microseconds: Int64(moment))
            #expect(ReplicaTimes.hasPassed(10, since: moment, now: now) == isPassed)
        }
    }

    // MARK: False positions

    @Test func `a false position of another device causes at most one request in six hours`() throws {
        let puppet = try ReplicaPuppet(fleet)
        try puppet.tell([positions([(number(1), 1 << 40)])], to: 2)
        try engine(2).passReplicaTime(seconds: 601)
        try fleet.collect(2)
        #expect(try engine(2).awaited()?.maker == puppet.number)
        for round in 0..<5 {
            // The puppet does not answer with a useful snapshot.
            try engine(2).await(nil)
            try puppet.tell([positions([(number(1), 1 << 40 + UInt64(round))])], to: 2)
            try engine(2).passReplicaTime(seconds: 4_000)
            try fleet.collect(2)
            #expect(try engine(2).awaited() == nil)
        }
        try engine(2).passReplicaTime(seconds: 1_601)
        try fleet.collect(2)
        let asked = try #require(try engine(2).awaited())
        #expect(asked.maker != puppet.number)
        try fleet.settle()
        #expect(try engine(2).awaited() == nil)
        // Positions that a member reports about this device or about itself are ignored.
        try puppet.tell([positions([(number(2), 1 << 40), (puppet.number, 1 << 40)])], to: 2)
        #expect(try engine(2).arrears(of: puppet.number)?.reportedSequence == 0)
        #expect(try engine(2).arrears(of: number(2)) == nil)
    }

    @Test func `devices that occur only in positions take no rows`() throws {
        let puppet = try ReplicaPuppet(fleet)
        let count = try engine(2).rowCount(of: "replica_members")
        try puppet.tell([positions((1...300).map { ($0, 5) })], to: 2)
        _ = try puppet.tellSnapshot([], places: (1...300).map { ($0, 5) }, to: 2)
        #expect(try engine(2).rowCount(of: "replica_members") == count)
        try save(1, "heard")
        try fleet.settle()
        #expect(try message(2, "heard") != nil)
    }
}
