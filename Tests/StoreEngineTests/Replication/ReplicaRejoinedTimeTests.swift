import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that a device which leaves the group and joins it again brings its changes with the times at which they were
/// made.
@Suite struct ReplicaRejoinedTimeTests {
    private let clocks = [FakeClocks(), FakeClocks()]
    private let fleet: ReplicaFleet
    private let ann = SessionID(trusted: "ann")
    private let message = EntityID(trusted: "message")
    private let home = 0
    private let joiner = 1

    init() throws {
        let clocks = self.clocks
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [], each: ReplicaFleet.Clocks { clocks[$0].clocks })
    }

    private var engine: StoreEngine { fleet.devices[joiner].engine }

    private func pass(seconds: Int64) {
        clocks.forEach { $0.pass(seconds: seconds) }
    }

    /// The events while the device is outside of the group.
    enum Outside: CaseIterable {
        case nothing, compaction, restart, removal, restore
    }

    private func leave(_ outside: Outside) throws {
        switch outside {
        case .removal:
            try fleet.devices[home].engine.removeReplicaDevice(fleet.devices[joiner].number)
            try fleet.settle()
        case .restore:
            let name = try engine.backUp().name
            try engine.restore(name)
        case .nothing, .compaction, .restart:
            try engine.leaveReplicaGroup()
        }
    }

    private func join(_ outside: Outside) throws {
        switch outside {
        case .compaction: try engine.write(.compactChanges(throughRevision: .max))
        case .restart: try fleet.restart(joiner)
        case .removal, .restore:
            try engine.write(.compactChanges(throughRevision: .max))
            try engine.leaveReplicaGroup()
        case .nothing: break
        }
        pass(seconds: 1_000)
        try fleet.join(joiner, by: home)
        try fleet.settle()
    }

    private func expectSame() throws {
        #expect(try Set(fleet.content(home)).symmetricDifference(fleet.content(joiner)).sorted() == [])
        for device in fleet.devices {
            #expect(try expectClean(device.engine) == [])
        }
    }

    @Test func `every kind of entity belongs to exactly one group`() {
        let things = StampedThing.groups.flatMap(\.self)
        #expect(things.count == StampedThing.allCases.count)
        #expect(Set(things) == Set(StampedThing.allCases))
    }

    /// Creates entities on both devices.
    private func prepare(_ things: [StampedThing]) throws {
        for thing in things {
            try thing.prepare(fleet.devices[home].engine)
        }
        try fleet.settle()
        pass(seconds: 10)
    }

    private func expect(_ things: [StampedThing], _ change: StampedThing.Change) throws {
        for thing in things {
            for index in fleet.devices.indices {
                #expect(try thing.value(fleet, index) == thing.value(after: change), "\(thing): \(change), \(index)")
            }
        }
        try expectSame()
    }

    @Test(arguments: StampedThing.Change.allCases, Outside.allCases)
    func `a change that was made only outside of the group is kept`(
        _ change: StampedThing.Change, _ outside: Outside
    ) throws {
        for (index, group) in StampedThing.groups.enumerated() {
            let things = group.filter { $0.pairs.contains { $0.newer == change } }
            let test = index == 0 ? self : try Self()
            try test.prepare(things)
            try test.leave(outside)
            test.pass(seconds: 10)
            for thing in things {
                try thing.make(change, test.engine)
            }
            try test.join(outside)
            try test.expect(things, change)
        }
    }

    @Test(arguments: StampedThing.Pair.all, [true, false])
    func `the later of two changes counts, one made outside and one inside the group`(
        _ pair: StampedThing.Pair, isOutsideLater: Bool
    ) throws {
        for (index, group) in StampedThing.groups.enumerated() {
            let things = group.filter { $0.allows(pair) }
            let test = index == 0 ? self : try Self()
            let inside = test.fleet.devices[home].engine
            try test.prepare(things)
            try test.leave(.nothing)
            test.pass(seconds: 10)
            for thing in things {
                try thing.make(pair.older, isOutsideLater ? inside : test.engine)
            }
            test.pass(seconds: 10)
            for thing in things {
                try thing.make(pair.newer, isOutsideLater ? test.engine : inside)
            }
            try test.join(.nothing)
            try test.expect(things, pair.newer)
        }
    }

    @Test(arguments: Outside.allCases)
    func `entities that were deleted outside of the group are deleted in it`(_ outside: Outside) throws {
        try StampedThing.contact.prepare(fleet.devices[home].engine)
        try fleet.settle()
        try leave(outside)
        pass(seconds: 10)
        try engine.write(.deleteContact(ann))
        try engine.write(.deleteMessages([message]))
        try engine.write(.deleteConversation(.session(ann)))
        try join(outside)
        for device in fleet.devices {
            let reader = device.engine.makeReader()
            #expect(try reader.contact(ann, includeAvatar: false) == nil)
            #expect(try reader.message(message) == nil)
            #expect(try reader.conversation(.session(ann), includeAvatar: false) == nil)
        }
        try expectSame()
    }

    @Test func `changes of a joining device are published even if a step had no time for them`() throws {
        try StampedThing.pin.prepare(fleet.devices[home].engine)
        try fleet.settle()
        try leave(.nothing)
        pass(seconds: 10)
        try StampedThing.pin.make(.one, engine)
        pass(seconds: 10)
        try fleet.join(joiner, by: home)
        clocks[joiner].stall(milliseconds: 3 * UInt32(EngineLimits.commitMilliseconds), looks: 12)
        try fleet.settle()
        #expect(try StampedThing.pin.value(fleet, home) == StampedThing.pin.value(after: .one))
        try expectSame()
    }

    @Test func `changes of others in the meantime are accepted, and entities that only they have stay`() throws {
        try StampedThing.contact.prepare(fleet.devices[home].engine)
        try fleet.settle()
        try leave(.nothing)
        pass(seconds: 10)
        let other = fleet.devices[home].engine
        try other.write(.saveContact(ContactUpdate(sessionID: ann, displayName: "home")))
        try other.write(.saveContact(ContactUpdate(sessionID: SessionID("new"), displayName: "new")))
        try other.write(.deleteMessages([message]))
        try join(.nothing)
        let reader = engine.makeReader()
        #expect(try reader.contact(ann, includeAvatar: false)?.displayName == "home")
        #expect(try reader.contact(SessionID("new"), includeAvatar: false) != nil)
        #expect(try reader.message(message) == nil)
        try expectSame()
    }

    @Test func `conflict copies are named after a device or without one, and never with zeros`() throws {
        let other = try ReplicaFleet(deviceCount: 1, seed: 2, kinds: [], clocks: clocks[0].clocks)
        let path = try FilePath(.document, "file")
        try other.addStore()
        for device in other.devices {
            try device.engine.write(.saveFile(path, Array(device.store.path.utf8), createsParents: true))
            pass(seconds: 10)
        }
        try other.join(1, by: 0)
        try other.settle()
        for device in other.devices {
            let names = try device.engine.makeReader().files(in: .root(of: .document), limit: 9, cursor: nil).items
                .map(\.name.text)
            #expect(names.count == 2)
            #expect(!names.contains { $0.contains("00000000") || $0.contains("1970") }, "\(names)")
        }
    }

    @Test func `a store that was never in a group brings the times of its edits`() throws {
        let other = try ReplicaFleet(deviceCount: 1, seed: 2, kinds: [], clocks: clocks[0].clocks)
        try other.addStore()
        for device in other.devices {
            let saved = NewMessage(
                id: message, conversation: .session(ann), text: "before",
                timestamp: Timestamp(microseconds: 1_600_000_000_000_000))
            try device.engine.write(.saveMessage(saved))
        }
        pass(seconds: 10)
        try other.devices[0].engine.write(.editMessage(message, text: "earlier", editedAt: nil))
        pass(seconds: 10)
        try other.devices[1].engine.write(.editMessage(message, text: "a later one", editedAt: nil))
        try other.join(1, by: 0)
        try other.settle()
        for device in other.devices {
            #expect(try device.engine.makeReader().message(message)?.text == "a later one")
        }
    }

    @Test func `a store that was never in a group stores nothing for replication`() throws {
        let store = try TemporaryStore()
        try StampedThing.log.prepare(store.engine)
        for change in StampedThing.Change.allCases {
            for thing in StampedThing.allCases where thing != .log {
                try? thing.make(change, store.engine)
            }
        }
        for table in ["replica_things", "replica_names", "replica_messages", "replica_former", "replica_untold_paths"] {
            #expect(try store.engine.rowCount(of: table) == 0)
        }
    }
}
