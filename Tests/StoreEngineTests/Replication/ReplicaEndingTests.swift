import ReplicaModel
import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that a store removes its data about a group in the end, and that it does not wait forever for another device.
@Suite struct ReplicaEndingTests {
    private let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
    }

    private func engine(_ index: Int) -> StoreEngine { fleet.devices[index].engine }

    private func save(_ index: Int, _ text: String) throws {
        try engine(index).write(
            .saveMessage(NewMessage(conversation: .session(SessionID("session")), text: text)))
    }

    private func change(_ index: Int, _ sql: String) throws {
        try engine(index).writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in try connection.run(StatementText(sql)) }
        }
    }

    @Test func `changes of a store that was removed from its group can be compacted`() throws {
        try engine(0).removeReplicaDevice(fleet.devices[1].number)
        try fleet.settle()
        #expect(try fleet.status(1).state == .removed)
        try save(1, "behind")
        let revision = try engine(1).statistics().revision
        guard case .compacted(let through, _) = try engine(1).write(.compactChanges(throughRevision: revision)) else {
            Issue.record("a compaction was answered as something else")
            return
        }
        #expect(through == revision)
        // The store does not accept messages of the group any more.
        try save(0, "of another")
        try fleet.publish(0)
        let channel = ReplicaChannel.device(fleet.devices[0].number)
        let last = try #require(fleet.log.message(channel, fleet.log.lastSequence(channel)))
        #expect(try fleet.handIn(1, channel, last) == .refused(.notAwaited))
    }

    /// Lets device 2 join, and makes it wait for a snapshot of device 0 that never comes.
    private func letIn() throws {
        try save(0, "held")
        try fleet.settle()
        try fleet.addStore()
        try fleet.ask(2, try fleet.invite(0))
        while try fleet.status(2).state == .joining {
            try fleet.publish(2)
            while try fleet.takeNext(0) {}
            try fleet.publish(0)
            _ = try fleet.takeNext(2, of: { if case .joinWelcome = $0 { true } else { false } })
        }
        #expect(try fleet.status(2).state == .receiving)
        for channel in fleet.log.channels {
            if case .snapshot = channel { fleet.log.forget(channel) }
        }
    }

    @Test func `a device that joins asks another one if the snapshot does not come`() throws {
        try letIn()
        try fleet.settle([1, 2])
        #expect(try fleet.status(2).state == .receiving)
        // The change moves the time of the last snapshot message an hour into the past.
        try change(2, "UPDATE OR FAIL replica_group SET snapshot_heard_at = snapshot_heard_at - 3600000001")
        try fleet.settle([1, 2])
        #expect(try fleet.status(2).state == .member)
        #expect(try fleet.content(2) == fleet.content(1))
    }

    @Test func `the number of invitations is limited, and each one ends with its time`() throws {
        func requests() throws -> Int {
            try fleet.status(0).followed.count { if case .joinRequest = $0.channel { true } else { false } }
        }
        for _ in 0..<ReplicaLimits.invitationsMax {
            _ = try fleet.invite(0)
        }
        #expect(try requests() == ReplicaLimits.invitationsMax)
        let failure = #expect(throws: StoreError.self) { _ = try fleet.invite(0) }
        #expect(failure?.reason == .invalidArgument)
        // All existing invitations end now.
        try change(0, "UPDATE OR FAIL replica_invitations SET expires_at = 1")
        #expect(try requests() == 0)
        #expect(try fleet.status(0).invitationExpiries.isEmpty)
        _ = try fleet.invite(0)
        #expect(try requests() == 1)
        try fleet.publish(0)
        #expect(try engine(0).rowCount(of: "replica_invitations") == 1)
    }
}
