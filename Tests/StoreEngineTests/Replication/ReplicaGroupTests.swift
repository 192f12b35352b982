import ReplicaModel
import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct ReplicaGroupTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
    }

    private func expectEqual(_ devices: [Int]) throws {
        let first = try fleet.content(devices[0])
        for device in devices.dropFirst() {
            #expect(try fleet.content(device) == first)
        }
        // Removed devices are checked too.
        for device in fleet.devices {
            #expect(try expectClean(device.engine) == [])
        }
    }

    private func channel(_ device: Int) -> ReplicaChannel { .device(fleet.devices[device].number) }

    // MARK: Joining and leaving

    @Test func `a joining device gets the content of the group, and the others get its own`() throws {
        for number in 0..<500 {
            try save(0, "old \(number)", text: String(repeating: "long ", count: 500))
        }
        try fleet.devices[0].engine.write(.deleteMessages([EntityID("old 3")]))
        try fleet.addStore()
        try save(3, "own")
        // The group has deleted this message, while the joining device still has it.
        try save(3, "old 3")
        try fleet.join(3, by: 0)
        try fleet.settle()
        try expectEqual([0, 1, 2, 3])
        #expect(try message(1, "own") != nil)
        #expect(try message(3, "old 499") != nil)
        #expect(try message(3, "old 3") == nil)
        // The next device joins by an invitation of a device that has just joined.
        try fleet.addStore()
        try fleet.join(4, by: 3)
        try save(4, "last")
        try fleet.settle()
        try expectEqual([0, 1, 2, 3, 4])
    }

    @Test func `a code can be used once, and until its end`() throws {
        let code = try fleet.invite(0)
        let copy = try code.copied()
        try fleet.addStore()
        try fleet.addStore()
        try fleet.ask(3, code)
        try fleet.ask(4, copy)
        let request = try #require(try fleet.status(3).outgoing.first)
        let first = try #require(try fleet.take(3, request.channel, storedThrough: 0).first)
        let second = try #require(try fleet.take(4, request.channel, storedThrough: 0).first)
        #expect(try fleet.handIn(0, request.channel, first.bytes) == .merged(nextSequence: 2))
        #expect(try fleet.handIn(0, request.channel, first.bytes) == .merged(nextSequence: 2))
        #expect(try fleet.handIn(0, request.channel, second.bytes) == .refused(.invitationOver))
        #expect(try fleet.handIn(1, request.channel, second.bytes) == .refused(.invitationOver))
    }

    @Test func `a damaged request to join is refused, and a member cannot join again`() throws {
        let code = try fleet.invite(0)
        try fleet.addStore()
        try fleet.ask(3, code)
        let request = try #require(try fleet.status(3).outgoing.first)
        let bytes = try #require(try fleet.take(3, request.channel, storedThrough: 0).first).bytes
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1
            #expect(try fleet.handIn(0, request.channel, damaged) == .refused(.notOpened))
        }
        #expect(throws: StoreError.self) { try fleet.ask(0, try fleet.invite(1)) }
        #expect(try fleet.handIn(0, request.channel, bytes) == .merged(nextSequence: 2))
    }

    @Test func `a removed device can neither publish nor read anything more`() throws {
        try save(2, "before")
        try fleet.settle()
        try fleet.devices[0].engine.removeReplicaDevice(fleet.devices[2].number)
        // The removed device does not know about its removal yet.
        try save(2, "behind")
        try fleet.publish(2)
        let late = try #require(fleet.log.message(channel(2), fleet.log.lastSequence(channel(2))))
        #expect(try fleet.handIn(0, channel(2), late) == .refused(.deviceRemoved))
        try fleet.publish(0)
        while try fleet.takeNext(1, of: { $0 == channel(0) }) {}
        #expect(try fleet.handIn(1, channel(2), late) == .refused(.deviceRemoved))
        try save(0, "secret")
        try fleet.settle([0, 1])
        try expectEqual([0, 1])
        #expect(try message(1, "secret") != nil)
        #expect(try message(1, "before") != nil)
        #expect(try message(1, "behind") == nil)
        while try fleet.takeNext(2) {}
        #expect(try fleet.status(2).state == .removed)
        #expect(try message(2, "secret") == nil)
        // Messages after the removal are sealed with a key that the removed device did not get.
        let newest = fleet.log.lastSequence(channel(0))
        let secret = try #require(fleet.log.message(channel(0), newest))
        #expect(try BatchHeader(parsing: secret).epoch.number > 1)
    }

    @Test func `changes of a removed device that one device has merged reach all others`() throws {
        try save(2, "late")
        try fleet.publish(2)
        #expect(try fleet.takeNext(1) { $0 == channel(2) })
        try fleet.devices[0].engine.removeReplicaDevice(fleet.devices[2].number)
        try fleet.settle([0, 1])
        try expectEqual([0, 1])
        #expect(try message(0, "late") != nil)
    }

    @Test func `after two removals at once neither of the removed devices has a key`() throws {
        try fleet.addStore()
        try fleet.join(3, by: 0)
        try fleet.settle()
        try fleet.devices[0].engine.removeReplicaDevice(fleet.devices[2].number)
        try fleet.devices[1].engine.removeReplicaDevice(fleet.devices[3].number)
        try fleet.settle([0, 1])
        try save(0, "from 0")
        try save(1, "from 1")
        try fleet.settle([0, 1])
        try expectEqual([0, 1])
        for device in [2, 3] {
            while try fleet.takeNext(device) {}
            #expect(try message(device, "from 0") == nil)
            #expect(try message(device, "from 1") == nil)
        }
    }

    @Test func `a device that is let in while another makes a key gets that key`() throws {
        try fleet.addStore()
        let code = try fleet.invite(1)
        try fleet.ask(3, code)
        try fleet.publish(3)
        // Device 1 lets the new device in and does not know about the new key. Device 0 makes the key and does not know
        // about the new device.
        #expect(try fleet.takeNext(1))
        try fleet.devices[0].engine.removeReplicaDevice(fleet.devices[2].number)
        try fleet.settle([0, 1, 3])
        try save(0, "new")
        try fleet.settle([0, 1, 3])
        try expectEqual([0, 1, 3])
        #expect(try message(3, "new") != nil)
    }

    @Test func `a store that leaves keeps its content, and may join again`() throws {
        try save(0, "a")
        try fleet.settle()
        try fleet.devices[2].engine.leaveReplicaGroup()
        #expect(try message(2, "a") != nil)
        #expect(try fleet.reader(2).replicaStatus() == nil)
        #expect(throws: StoreError.self) { try fleet.devices[2].engine.leaveReplicaGroup() }
        try fleet.devices[0].engine.write(.deleteMessages([EntityID("a")]))
        try save(2, "b")
        try fleet.join(2, by: 1)
        try fleet.settle()
        try expectEqual([0, 1, 2])
        #expect(try message(2, "a") == nil)
        #expect(try message(0, "b") != nil)
    }

    // MARK: Changed messages

    @Test func `a batch with a changed byte is refused, and nothing of it is merged`() throws {
        try save(0, "a")
        try fleet.publish(0)
        let sequence = fleet.log.lastSequence(channel(0))
        let batch = try #require(fleet.log.message(channel(0), sequence))
        for index in batch.indices {
            var forged = batch
            forged[index] ^= 0x10
            switch try fleet.handIn(1, channel(0), forged) {
            case .refused(.malformed), .refused(.forged), .refused(.otherGroup), .refused(.otherChannel),
                .waits(.laterVersion), .merged(nextSequence: sequence):
                break
            case let outcome:
                Issue.record("byte \(index) was taken as \(outcome)")
            }
        }
        for count in 0..<batch.count {
            guard case .refused = try fleet.handIn(1, channel(0), Array(batch.prefix(count))) else {
                Issue.record("the first \(count) bytes were not refused")
                continue
            }
        }
        #expect(try message(1, "a") == nil)
        #expect(try fleet.handIn(1, channel(1), batch) == .refused(.otherChannel))
        #expect(try fleet.handIn(1, channel(2), batch) == .refused(.otherChannel))
        #expect(try fleet.handIn(1, channel(0), batch) == .merged(nextSequence: sequence + 1))
        #expect(try message(1, "a") != nil)
    }

    @Test func `batches that come out of order wait for the earlier ones`() throws {
        try save(0, "a")
        try fleet.publish(0)
        let first = fleet.log.lastSequence(channel(0))
        try save(0, "b")
        try fleet.publish(0)
        let second = fleet.log.lastSequence(channel(0))
        #expect(second == first + 1)
        let batches = try [first, second].map { try #require(fleet.log.message(channel(0), $0)) }
        #expect(try fleet.handIn(1, channel(0), batches[1]) == .waits(.earlierMessage(sequence: first)))
        #expect(try fleet.handIn(1, channel(0), batches[0]) == .merged(nextSequence: second))
        #expect(try fleet.handIn(1, channel(0), batches[0]) == .merged(nextSequence: second))
        #expect(try fleet.handIn(1, channel(0), batches[1]) == .merged(nextSequence: second + 1))
    }

    @Test func `a batch of another group is refused`() throws {
        let others = try ReplicaFleet(deviceCount: 1, seed: 2, kinds: [])
        try others.devices[0].engine.write(.saveContact(ContactUpdate(sessionID: SessionID("eve"))))
        try others.publish(0)
        let channel = ReplicaChannel.device(others.devices[0].number)
        let batch = try #require(others.log.message(channel, 1))
        #expect(try fleet.handIn(0, channel, batch) == .refused(.otherGroup))
    }

    @Test func `two stores that are copies of one store are noticed, and the status names the device`() throws {
        try fleet.settle()
        let copy = try fleet.copy(2)
        try save(2, "here")
        try fleet.publish(2)
        try copy.engine.write(.saveMessage(NewMessage(id: EntityID("there"), conversation: ann, text: "text")))
        let work = OutgoingRequest(channel: channel(2), storedThrough: 0, bytesMax: 1 << 20)
        let fork = try #require(try ReplicaFleet.take(work, from: copy.engine).last)
        #expect(fork.sequence == fleet.log.lastSequence(channel(2)))
        try fleet.settle()
        #expect(try fleet.handIn(0, channel(2), fork.bytes) == .refused(.forked))
        let device = try #require(try fleet.status(0).devices.first { $0.device == fleet.devices[2].number })
        #expect(device.fault == .forked)
    }

    @Test func `a store that was replaced from a backup joins again as another device`() throws {
        let name = try fleet.devices[2].engine.backUp().name
        try save(2, "behind the backup")
        try fleet.settle()
        try fleet.devices[2].engine.restore(name)
        #expect(try fleet.status(2).state == .changed)
        #expect(throws: StoreError.self) { try fleet.take(2, channel(2), storedThrough: 0) }
        try fleet.devices[2].engine.leaveReplicaGroup()
        try fleet.join(2, by: 0)
        try fleet.settle()
        try expectEqual([0, 1, 2])
        #expect(try message(2, "behind the backup") != nil)
    }

    // MARK: Gaps

    @Test func `a device that was away longer than the stream keeps messages gets a snapshot and loses nothing`()
        throws
    {
        try fleet.settle()
        for round in 0..<5 {
            try save(0, "missed \(round)")
            try save(1, "missed too \(round)")
            try fleet.settle([0, 1])
        }
        try fleet.devices[0].engine.write(.deleteMessages([EntityID("missed 2")]))
        try fleet.settle([0, 1])
        try save(2, "own")
        fleet.log.trim(keeping: 1)
        try fleet.settle()
        try expectEqual([0, 1, 2])
        #expect(try message(0, "own") != nil)
        #expect(try message(2, "missed 4") != nil)
        #expect(try message(2, "missed 2") == nil)
    }

    @Test func `a lost stream begins again with the content of the devices`() throws {
        try save(0, "a")
        try fleet.settle([0, 1])
        fleet.log.forgetEverything()
        for device in 0..<3 {
            try save(device, "from \(device)")
        }
        try fleet.settle()
        try expectEqual([0, 1, 2])
        #expect(try message(2, "a") != nil)
    }

    @Test func `records that are too long for one message are sent in parts`() throws {
        let avatar = [UInt8](repeating: 7, count: 3 << 20)
        try fleet.devices[0].engine.write(
            .saveContact(ContactUpdate(sessionID: SessionID("ann"), displayName: "Ann", avatar: avatar)))
        try fleet.publish(0)
        // Another device joins while these messages are delivered.
        #expect(try fleet.takeNext(1) { $0 == channel(0) })
        try fleet.addStore()
        try fleet.join(3, by: 1)
        try fleet.settle()
        try expectEqual([0, 1, 2, 3])
        let contact = try fleet.reader(3).contact(SessionID("ann"), includeAvatar: true)
        #expect(contact?.avatar == avatar)
    }

    @Test func `the stream contains no plaintext of the stores`() throws {
        let text = "words that are to be found nowhere"
        try save(0, "a", text: text)
        try fleet.addStore()
        try fleet.join(3, by: 0)
        try fleet.settle()
        for message in fleet.log.everything {
            #expect(!message.holds(Array(text.utf8)))
            #expect(!message.holds(Array("ann".utf8)))
        }
        #expect(fleet.log.differingCount == 0)
    }
}
