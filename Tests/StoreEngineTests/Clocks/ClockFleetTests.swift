import StoreBasics
import Testing

@testable import StoreEngine

/// Tests devices of a replica group whose clocks are set to wrong times: while they run, while they are stopped, and
/// when they join.
///
/// The clock of one device is never wrong for a day; the others may be wrong for any time. No device deletes a message
/// earlier than the message's rule allows, measured by the true time. After all batches have arrived, each device has
/// all messages that no rule has deleted, with the same content. After all clocks are right, all devices have the same
/// content.
@Suite struct ClockFleetTests {
    @Test(arguments: ClockSeeds.range(3, long: 12)) func `no wrong clock deletes a message early`(seed: Int) throws {
        let world = ClockWorld(seed: seed)
        world.addMachine(isCorrectedInTime: true)
        let fleet = try ReplicaFleet(
            deviceCount: 1, seed: UInt64(seed), kinds: [],
            each: ReplicaFleet.Clocks { world.machines[$0].clocks.clocks }, isFormedHere: true)
        // The reference to the fleet is unowned: the fleet refers to the clocks of the world, so a strong reference
        // would form a cycle.
        world.setStores { [unowned fleet] in fleet.devices[$0].store }
        try world.makeTalks(0)
        let deviceCount = 2 + seed % 3
        for round in 0..<60 {
            if fleet.devices.count < deviceCount, world.number(8) == 0 || round == 20 {
                try join(world, fleet)
            }
            let index = world.number(fleet.devices.count)
            switch world.number(3) {
            case 0: try exchange(fleet, world, index)
            default: try world.act(on: index)
            }
            if round % 20 == 19 {
                try expectKept(fleet, world)
            }
        }
        try expectAgreement(fleet, world)
    }

    /// Adds a device whose clock may be wrong from the beginning. The clock of the inviter may be changed at the same
    /// time.
    private func join(_ world: ClockWorld, _ fleet: ReplicaFleet) throws {
        let index = fleet.devices.count
        world.addMachine(isCorrectedInTime: false)
        if world.number(2) == 0 {
            world.jump(index)
        }
        try fleet.addStore()
        let code = try fleet.invite(0)
        if world.number(2) == 0 {
            try world.jumpWhileOpen(0)
        }
        try world.pass(seconds: Int64(world.number(3_000)))
        try fleet.ask(index, code)
        for _ in 0..<1_000 {
            guard try fleet.status(index).state != .member else { break }
            for device in [0, index] {
                try exchange(fleet, world, device)
                try world.look(device)
            }
        }
        #expect(try fleet.status(index).state == .member, "an invitation was over early")
        // An inviter whose clock was set forward publishes its trusted time, not the time of its wall clock.
        let told = try fleet.devices[0].engine.writer.perform { $0.clock.trustedTime.microseconds }
        let error = world.machines[index].errorSeconds - (told - world.now) / ClockModel.second
        if abs(error) > 1_000 {
            let seen = try fleet.status(index).devices.first { $0.device == fleet.devices[0].number }
            let milliseconds = error > 0 ? seen?.behindMilliseconds : seen?.aheadMilliseconds
            #expect(milliseconds ?? 0 > 0, "the difference of \(error) s is not known at joining")
        }
    }

    private func exchange(_ fleet: ReplicaFleet, _ world: ClockWorld, _ index: Int) throws {
        try fleet.publish(index, forgetsAnswers: world.number(4) == 0)
        for _ in 0..<(1 + world.number(4)) where try fleet.takeNext(index) {
            try world.observe(index)
        }
    }

    /// Checks that each message which no rule deletes is on every device.
    private func expectKept(_ fleet: ReplicaFleet, _ world: ClockWorld) throws {
        try fleet.settle()
        for index in fleet.devices.indices {
            try world.look(index)
            let there = try world.ids(index)
            let missing = world.model.messages.keys.filter { id in
                !there.contains(id) && !world.model.mayBeGone(id, at: world.now)
            }
            #expect(missing.sorted() == [], "device \(index) lacks messages")
        }
    }

    private func expectAgreement(_ fleet: ReplicaFleet, _ world: ClockWorld) throws {
        for index in fleet.devices.indices {
            try world.correct(index, isSynchronized: true)
        }
        try expectKept(fleet, world)
        try world.pass(seconds: 4 * 86_400)
        // With these writes each device sends its present clock to the others.
        for (index, device) in fleet.devices.enumerated() {
            let contact = SessionID(trusted: "contact \(index)")
            try device.engine.write(.saveContact(ContactUpdate(sessionID: contact, displayName: "contact")))
        }
        for _ in 0..<2 {
            try fleet.settle()
            for index in fleet.devices.indices {
                try world.look(index)
            }
            try world.pass(seconds: 2 * 86_400)
        }
        try fleet.settle()
        let kept = world.model.messages.keys.filter { !world.model.isGone($0, at: world.now) }
        let first = try fleet.content(0)
        for index in fleet.devices.indices {
            try world.look(index)
            #expect(try world.ids(index).sorted() == kept.sorted(), "device \(index)")
            #expect(try Set(fleet.content(index)).symmetricDifference(first).sorted() == [], "device \(index)")
            #expect(try expectClean(fleet.devices[index].engine) == [])
        }
    }
}
