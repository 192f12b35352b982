import ReplicaModel
import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests which changes become one batch.
@Suite struct ReplicaBatchTests {
    let fleet: ReplicaFleet
    let ann = ConversationReference.session(SessionID(trusted: "ann"))

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
    }

    private func write(_ mutation: Mutation) throws {
        try fleet.devices[0].engine.write(mutation)
    }

    private func save(_ id: String) throws {
        try write(.saveMessage(NewMessage(id: EntityID(id), conversation: ann, text: "text \(id)", status: .sent)))
    }

    private func expectEqual() throws {
        try fleet.settle()
        #expect(try fleet.content(0) == fleet.content(1))
    }

    @Test func `changes of many commits share a batch`() throws {
        let last = try fleet.status(0).lastSequence
        for number in 0..<200 {
            try save("\(number)")
        }
        try fleet.publish(0)
        // One step of the writer makes a batch and has a few milliseconds for it, so the number of batches varies.
        #expect(last + 1...last + 50 ~= (try fleet.status(0).lastSequence))
        try expectEqual()
        #expect(try fleet.reader(1).message(EntityID("199")) != nil)
    }

    @Test func `an entity that is deleted and created again between two batches is published as it is then`() throws {
        for number in 0..<5 {
            try save("\(number)")
        }
        try fleet.settle()
        try write(.deleteMessages([EntityID("1"), EntityID("2")]))
        try save("2")
        try save("5")
        try write(.deleteMessages([EntityID("5")]))
        try write(.deleteConversation(ann))
        try save("6")
        try save("3")
        try write(.deleteMessages([EntityID("6")]))
        try expectEqual()
        let reader = fleet.reader(1)
        for number in 0..<7 {
            #expect(try (reader.message(EntityID("\(number)")) != nil) == (number == 3), "\(number)")
        }
    }

    @Test func `a commit that is missing in the change log is reported as damage`() throws {
        try fleet.settle()
        for id in ["a", "b", "c"] {
            try save(id)
        }
        try fleet.devices[0].engine.writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                try connection.run(Self.deleteFirstUnpublished)
            }
        }
        let error = #expect(throws: StoreError.self) { try fleet.publish(0) }
        #expect(error?.reason == .databaseDamaged)
    }

    private static let deleteFirstUnpublished = StatementText(
        """
        DELETE FROM changes WHERE first_revision =
            (SELECT min(first_revision) FROM changes
                WHERE first_revision > (SELECT collected_through FROM replica_group))
        """)

    @Test func `the rest of a commit is published in the next batch if one is full`() throws {
        let last = try fleet.status(0).lastSequence
        let text = String(repeating: "long ", count: 4_000)
        let messages = try (0..<40).map {
            try NewMessage(id: EntityID("\($0)"), conversation: ann, text: text, status: .sent)
        }
        try write(.saveMessages(messages))
        try save("behind")
        try fleet.publish(0)
        #expect(try fleet.status(0).lastSequence >= last + 3)
        try expectEqual()
    }

    @Test(arguments: [false, true])
    func `a store that joins publishes what it had, and nothing if it had nothing`(
        _ hadSomething: Bool
    ) throws {
        let text = String(repeating: "text ", count: 1_000)
        for number in 0..<20 {
            try write(.saveMessage(NewMessage(id: EntityID("\(number)"), conversation: ann, text: text)))
        }
        try fleet.addStore()
        if hadSomething {
            try fleet.devices[2].engine.write(
                .saveMessage(NewMessage(id: EntityID("own"), conversation: ann, text: text)))
        }
        try fleet.join(2, by: 0)
        try fleet.settle()
        let told = fleet.log.messages(of: .device(fleet.devices[2].number)).reduce(0) { $0 + $1.count }
        #expect(hadSomething ? told > text.utf8.count : told < text.utf8.count)
        for index in 0..<3 {
            #expect(try fleet.content(index) == fleet.content(0))
            #expect(try (fleet.reader(index).message(EntityID("own")) != nil) == hadSomething)
        }
    }
}
