import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests devices of a replica group whose clocks differ.
@Suite struct ReplicaClockTests {
    private let fleet: ReplicaFleet
    private let ann = SessionID(trusted: "ann")

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
    }

    /// Returns a record of an entity from a device whose clock is ahead.
    private func thing(_ kind: ThingKind, touchedAt: Timestamp) -> ReplicaRecord {
        let stamp = ReplicaStamp(time: HybridClock.time(atMilliseconds: 1_795_615_387_000), device: 77)
        let identity = ThingIdentity(id: EntityID(trusted: "\(kind)"), createdAt: touchedAt)
        return .thing(
            ThingRecord(
                name: ThingName(kind, ann.text), touchedAt: touchedAt.microseconds,
                fields: [FieldRecord(field: .identity, stamp: stamp, value: identity.bytes)]))
    }

    @Test func `an entity that was changed last under a slow clock has the latest time everywhere`() throws {
        let tomorrow = Timestamp.now.advanced(byMicroseconds: 86_400_000_000)
        let puppet = try ReplicaPuppet(fleet)
        let told = try puppet.batch([
            thing(.contact, touchedAt: tomorrow), thing(.conversation, touchedAt: tomorrow),
        ])
        for index in fleet.devices.indices {
            #expect(try fleet.handIn(index, .device(puppet.number), told) == .merged(nextSequence: 2))
        }
        let engine = fleet.devices[1].engine
        try engine.write(.saveContact(ContactUpdate(sessionID: ann, displayName: "Anna")))
        try engine.write(.updateConversation(.session(ann), ConversationUpdate(displayName: "friends", isPinned: true)))
        try fleet.settle()
        let first = try fleet.content(0)
        for index in fleet.devices.indices {
            #expect(try fleet.content(index) == first)
            let reader = fleet.reader(index)
            let contact = try reader.contact(ann, includeAvatar: false)
            #expect(contact?.displayName == "Anna" && contact?.updatedAt == tomorrow)
            #expect(try reader.conversation(.session(ann), includeAvatar: false)?.updatedAt == tomorrow)
            #expect(try expectClean(fleet.devices[index].engine) == [])
        }
    }
}
