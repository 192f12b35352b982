import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Tests content that a store deletes while it is outside of its group, and whose rows are not yet removed when it
/// joins again.
@Suite struct ReplicaRejoiningTests {
    private static let messageCount = 4_000
    private let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
        let conversation = ConversationReference.session(try SessionID("kept"))
        for first in stride(from: 0, to: Self.messageCount, by: 250) {
            let messages = try (first..<first + 250).map { number in
                try NewMessage(id: EntityID("message-\(number)"), conversation: conversation, text: "text \(number)")
            }
            try fleet.devices[0].engine.write(.saveMessages(messages))
        }
        try fleet.settle()
        #expect(try messageCount(1) == Self.messageCount)
    }

    private func messageCount(_ index: Int) throws -> Int {
        try fleet.devices[index].engine.statistics().messageCount
    }

    private func expectWhereItJoins(_ count: Int) throws {
        #expect(try messageCount(1) == 0)
        try fleet.join(1, by: 0)
        try fleet.settle()
        for index in fleet.devices.indices {
            #expect(try messageCount(index) == count)
            #expect(try expectClean(fleet.devices[index].engine) == [])
        }
        #expect(try fleet.content(0) == fleet.content(1))
    }

    @Test func `a conversation that was deleted outside of the group is deleted in it`() throws {
        try fleet.devices[1].engine.leaveReplicaGroup()
        try fleet.devices[1].engine.write(.deleteConversation(.session(SessionID("kept"))))
        try expectWhereItJoins(0)
    }

    @Test func `a store that was cleared deletes nothing in the group that it joins`() throws {
        try fleet.devices[1].engine.write(.clearAllDataLeavingGroup)
        try expectWhereItJoins(Self.messageCount)
    }
}
