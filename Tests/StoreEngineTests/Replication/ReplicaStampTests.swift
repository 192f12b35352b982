import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that the later of two changes counts, whenever the devices learn about each other's changes.
@Suite struct ReplicaStampTests {
    private let clocks = [FakeClocks(), FakeClocks(), FakeClocks()]
    private let fleet: ReplicaFleet
    private let ann = SessionID(trusted: "ann")
    private let laptop = 0
    private let desktop = 1

    init() throws {
        let clocks = self.clocks
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [], each: ReplicaFleet.Clocks { clocks[$0].clocks })
    }

    private func pass(seconds: Int64) {
        clocks.forEach { $0.pass(seconds: seconds) }
    }

    private func write(_ device: Int, _ mutation: Mutation) throws {
        try fleet.devices[device].engine.write(mutation)
    }

    private func expectSame() throws {
        let first = try fleet.content(0)
        for index in fleet.devices.indices {
            #expect(try Set(fleet.content(index)).symmetricDifference(first).sorted() == [])
            #expect(try expectClean(fleet.devices[index].engine) == [])
        }
    }

    private func contact(_ device: Int) throws -> Contact? {
        try fleet.reader(device).contact(ann, includeAvatar: false)
    }

    private func value(_ key: String, _ device: Int) throws -> [UInt8]? {
        for case .sceneValue(let held) in try fleet.devices[device].engine.archived() where held.key.text == key {
            return held.value
        }
        return nil
    }

    private func set(_ device: Int, _ key: String, _ value: UInt8) throws {
        let change = SceneChange(key: try SceneKey(key), value: [value])
        try write(device, .setSceneValues(.sceneOnly(SceneName("scene")), [change], conditions: []))
    }

    /// The way in which the older change reaches the other devices.
    enum Arrival: CaseIterable {
        case olderFirst, newerFirst, newerFirstAndRestarted
    }

    @Test(arguments: StampedThing.Pair.all, Arrival.allCases)
    func `a later change counts, whatever changes an absent device brings`(
        _ pair: StampedThing.Pair, _ arrival: Arrival
    ) throws {
        for (index, group) in StampedThing.groups.enumerated() {
            let test = index == 0 ? self : try Self()
            try test.expectLaterCounts(group.filter { $0.allows(pair) }, pair, arrival)
        }
    }

    private func expectLaterCounts(
        _ things: [StampedThing], _ pair: StampedThing.Pair, _ arrival: Arrival
    ) throws {
        try things.forEach { try $0.prepare(fleet.devices[desktop].engine) }
        try fleet.settle()
        pass(seconds: 60)
        try things.forEach { try $0.make(pair.older, fleet.devices[laptop].engine) }
        pass(seconds: 86_400)
        try things.forEach { try $0.make(pair.newer, fleet.devices[desktop].engine) }
        try fleet.publish(desktop)
        pass(seconds: 7 * 86_400)
        if arrival == .newerFirstAndRestarted {
            try fleet.restart(laptop)
        }
        if arrival == .olderFirst {
            try fleet.publish(laptop)
        } else {
            while try fleet.takeNext(laptop) {}
        }
        try fleet.settle()
        for thing in things {
            for index in fleet.devices.indices {
                let value = try thing.value(fleet, index)
                #expect(value == thing.value(after: pair.newer), "\(thing): \(pair); \(arrival), \(index)")
            }
        }
        try expectSame()
    }

    @Test func `each field has the time of its own change, even if several are collected together`() throws {
        try write(desktop, .saveContact(ContactUpdate(sessionID: ann, displayName: "before", notes: "before")))
        try fleet.settle()
        pass(seconds: 10)
        try write(laptop, .saveContact(ContactUpdate(sessionID: ann, displayName: "laptop")))
        pass(seconds: 10)
        try write(desktop, .saveContact(ContactUpdate(sessionID: ann, displayName: "desktop", notes: "desktop")))
        pass(seconds: 10)
        try write(laptop, .saveContact(ContactUpdate(sessionID: ann, notes: "laptop")))
        try fleet.settle()
        for index in fleet.devices.indices {
            #expect(try contact(index)?.displayName == "desktop")
            #expect(try contact(index)?.notes == "laptop")
        }
        try expectSame()
    }

    @Test(arguments: [0, 10, 300])
    func `the last of several changes counts, however many other changes are between them`(_ count: Int) throws {
        try set(laptop, "key", 1)
        try write(laptop, .saveContact(ContactUpdate(sessionID: ann, displayName: "first")))
        pass(seconds: 10)
        try set(desktop, "key", 2)
        try write(desktop, .saveContact(ContactUpdate(sessionID: ann, displayName: "desktop")))
        pass(seconds: 10)
        for number in 0..<count {
            try set(laptop, "other \(number)", 0)
        }
        try set(laptop, "key", 3)
        try write(laptop, .saveContact(ContactUpdate(sessionID: ann, displayName: "last")))
        try fleet.settle()
        for index in fleet.devices.indices {
            #expect(try value("key", index) == [3])
            #expect(try contact(index)?.displayName == "last")
        }
        try expectSame()
    }

    @Test func `a value that was changed and changed back has the time of the last change`() throws {
        try write(desktop, .saveContact(ContactUpdate(sessionID: ann, displayName: "before")))
        try fleet.settle()
        try write(laptop, .saveContact(ContactUpdate(sessionID: ann, displayName: "other")))
        pass(seconds: 10)
        try write(desktop, .saveContact(ContactUpdate(sessionID: ann, displayName: "desktop")))
        pass(seconds: 10)
        try write(laptop, .saveContact(ContactUpdate(sessionID: ann, displayName: "before")))
        try fleet.settle()
        for index in fleet.devices.indices {
            #expect(try contact(index)?.displayName == "before")
        }
    }

    @Test func `a contact that is deleted and created again has the time of its creation`() throws {
        try write(desktop, .saveContact(ContactUpdate(sessionID: ann, displayName: "before", notes: "before")))
        try fleet.settle()
        try write(laptop, .deleteContact(ann))
        pass(seconds: 10)
        try write(desktop, .saveContact(ContactUpdate(sessionID: ann, displayName: "desktop", notes: "desktop")))
        pass(seconds: 10)
        try write(laptop, .saveContact(ContactUpdate(sessionID: ann, displayName: "laptop")))
        try fleet.settle()
        for index in fleet.devices.indices {
            #expect(try contact(index)?.displayName == "laptop")
            #expect(try contact(index)?.notes == "desktop")
        }
        try expectSame()
    }

    @Test func `a change made with knowledge of another one counts, even under a slow clock`() throws {
        try set(desktop, "key", 1)
        try fleet.settle()
        clocks[laptop].setWall(bySeconds: -86_400)
        try set(laptop, "key", 2)
        try set(laptop, "new", 2)
        try fleet.settle()
        for index in fleet.devices.indices {
            #expect(try value("key", index) == [2])
        }
        // A change of a new entity has a stamp that is not earlier than any stamp the laptop has merged.
        pass(seconds: 5)
        let known = try fleet.stamp(laptop, ThingName(.sceneValue, "scene", "key"))
        #expect(try fleet.stamp(laptop, ThingName(.sceneValue, "scene", "new")) >= known)
    }

    @Test(arguments: [true, false]) func `a reaction has the time of its last removal or addition`(isAddedLater: Bool)
        throws
    {
        let message = EntityID(trusted: "message")
        let thumb = ReactionReference(messageID: message, authorSessionID: ann, emoji: try Emoji("👍"))
        try write(desktop, .saveMessage(NewMessage(id: message, conversation: .session(ann), text: "text")))
        try write(desktop, .addReaction(thumb))
        try fleet.settle()
        let (first, second) = isAddedLater ? (laptop, desktop) : (desktop, laptop)
        try write(second, .removeReaction(thumb))
        if !isAddedLater {
            // The reaction is present on one device and removed on the other.
            try write(first, .removeReaction(thumb))
            pass(seconds: 10)
            try write(first, .addReaction(thumb))
            pass(seconds: 10)
            try write(second, .addReaction(thumb))
            try write(second, .removeReaction(thumb))
        } else {
            try write(first, .removeReaction(thumb))
            pass(seconds: 10)
            try write(second, .addReaction(thumb))
        }
        try fleet.settle()
        for device in fleet.devices {
            let reactions = try device.engine.makeReader().reactions(to: message, limit: 9, cursor: nil).reactions
            #expect(reactions.isEmpty == !isAddedLater)
        }
        try expectSame()
    }

    @Test func `a deleted message is gone for good, whenever it was deleted`() throws {
        let message = EntityID(trusted: "message")
        for deletesFirst in [true, false] {
            let fleet = try Self()
            let reference = ConversationReference.session(ann)
            try fleet.write(desktop, .saveMessage(NewMessage(id: message, conversation: reference, text: "before")))
            try fleet.fleet.settle()
            try fleet.write(
                laptop, deletesFirst ? .deleteMessages([message]) : .editMessage(message, text: "a", editedAt: nil))
            fleet.pass(seconds: 10)
            try fleet.write(
                desktop, deletesFirst ? .editMessage(message, text: "a", editedAt: nil) : .deleteMessages([message]))
            try fleet.fleet.settle()
            for device in fleet.fleet.devices {
                #expect(try device.engine.makeReader().message(message) == nil)
            }
        }
    }

    // MARK: Wrong clocks

    @Test func `a clock that is set forward while the machine runs does not make changes later`() throws {
        try set(laptop, "key", 0)
        try fleet.settle()
        clocks[laptop].setWall(bySeconds: 2 * 86_400)
        try set(laptop, "key", 1)
        try fleet.publish(laptop)
        pass(seconds: 10)
        try set(desktop, "key", 2)
        try fleet.settle()
        for index in fleet.devices.indices {
            #expect(try value("key", index) == [2])
        }
    }

    @Test func `a clock that was ahead at the start of the machine makes no change late after its correction`() throws {
        try set(laptop, "old", 0)
        try fleet.settle()
        clocks[laptop].restartMachine(offSeconds: 2 * 86_400, isSynchronized: false)
        try fleet.restart(laptop, clocks[laptop].clocks)
        try set(laptop, "old", 1)
        try fleet.publish(laptop)
        clocks[laptop].setWall(bySeconds: -2 * 86_400)
        pass(seconds: 10)
        try set(laptop, "new", 1)
        try fleet.publish(laptop)
        pass(seconds: 10)
        try set(desktop, "new", 2)
        try fleet.settle()
        for index in fleet.devices.indices {
            #expect(try value("new", index) == [2])
        }
        // A device that has merged changes from the future can still change them.
        try set(desktop, "old", 2)
        try fleet.settle()
        for index in fleet.devices.indices {
            #expect(try value("old", index) == [2])
        }
        try expectSame()
    }

    @Test func `a change that was made under a fast clock and collected under the right one is not late`() throws {
        try set(laptop, "key", 0)
        try fleet.settle()
        clocks[laptop].restartMachine(offSeconds: 2 * 86_400, isSynchronized: false)
        try fleet.restart(laptop, clocks[laptop].clocks)
        try set(laptop, "key", 1)
        clocks[laptop].setWall(bySeconds: -2 * 86_400)
        pass(seconds: 10)
        try fleet.publish(laptop)
        pass(seconds: 10)
        try set(desktop, "key", 2)
        try fleet.settle()
        for index in fleet.devices.indices {
            #expect(try value("key", index) == [2])
        }
    }

    @Test func `a change after a long time without power is not early, even without a time service`()
        throws
    {
        try set(laptop, "key", 0)
        try fleet.settle()
        pass(seconds: 10)
        clocks[laptop].restartMachine(offSeconds: 7 * 86_400, isSynchronized: false)
        clocks[desktop].pass(seconds: 6 * 86_400)
        try set(desktop, "key", 1)
        try fleet.restart(laptop, clocks[laptop].clocks)
        try set(laptop, "key", 2)
        try fleet.restart(laptop, clocks[laptop].clocks)
        try set(laptop, "other", 2)
        try fleet.settle()
        for index in fleet.devices.indices {
            #expect(try value("key", index) == [2])
        }
    }

    @Test func `a machine that starts with a slow clock makes right stamps after the clock is set`() throws {
        try set(laptop, "key", 0)
        try fleet.settle()
        clocks[laptop].restartMachine(offSeconds: 0, isSynchronized: false)
        try fleet.restart(laptop, clocks[laptop].clocks)
        try set(laptop, "other", 0)
        clocks[desktop].pass(seconds: 36_000)
        clocks[laptop].setWall(bySeconds: 36_000)
        try set(desktop, "key", 1)
        try fleet.publish(desktop)
        try set(desktop, "heard", 1)
        try fleet.settle()
        pass(seconds: 100)
        try set(desktop, "last", 1)
        pass(seconds: 100)
        try set(laptop, "last", 2)
        try fleet.settle()
        for index in fleet.devices.indices {
            #expect(try value("last", index) == [2])
        }
    }
}

extension ReplicaFleet {
    /// Returns the latest stamp that a device knows for an entity.
    func stamp(_ index: Int, _ name: ThingName) throws -> ReplicaStamp {
        try devices[index].engine.writer.perform { context throws(StoreError) in
            try ReplicaThingRows.read(name, context.openConnection())?.newestStamp ?? .zero
        }
    }

    /// Restarts the machine of a device, which gives it other clocks.
    func restart(_ index: Int, _ clocks: SystemClocks) throws {
        try devices[index].store.reopen(clocks: clocks)
        devices[index].edits.engine = devices[index].engine
    }
}
