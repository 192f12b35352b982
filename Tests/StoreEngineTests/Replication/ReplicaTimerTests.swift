import StoreBasics
import Testing

@testable import StoreEngine

/// Tests disappearing messages in a replica group.
@Suite struct ReplicaTimerTests {
    let clocks = FakeClocks()
    let fleet: ReplicaFleet
    let ann = ConversationReference.session(SessionID(trusted: "ann"))

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [], clocks: clocks.clocks)
    }

    private func write(_ device: Int, _ mutation: Mutation) throws {
        try fleet.devices[device].engine.write(mutation)
    }

    private func message(_ device: Int, _ id: String) throws -> StoredMessage? {
        try fleet.reader(device).message(EntityID(id))
    }

    /// Returns the expiry of the only message.
    private func expiry(_ device: Int) throws -> Timestamp? {
        for record in try fleet.devices[device].engine.archived() {
            if case .message(let message) = record { return message.expiresAt }
        }
        return nil
    }

    private func settle() throws {
        try fleet.settle()
        let first = try fleet.content(0)
        for index in fleet.devices.indices {
            let difference = try Set(fleet.content(index)).symmetricDifference(first).sorted()
            #expect(difference == [])
            #expect(try expectClean(fleet.devices[index].engine) == [])
        }
    }

    private func removeDue() throws {
        for index in fleet.devices.indices {
            try write(index, .removeDueMessages)
        }
    }

    @Test func `a timer starts when a message is first read on any device`() throws {
        let timer = MessageTimer(lifetime: try RetentionPeriod(milliseconds: 100_000), start: .reading)
        try write(
            0, .saveMessage(NewMessage(id: EntityID("m"), conversation: ann, text: "text", timer: .timer(timer))))
        try settle()
        let start = clocks.wall
        clocks.pass(seconds: 10)
        try write(1, .markMessagesRead([EntityID("m")]))
        clocks.pass(seconds: 10)
        try write(2, .markMessagesRead([EntityID("m")]))
        try fleet.collect(2)
        try settle()
        for device in 0..<3 {
            #expect(try expiry(device) == start.advanced(byMicroseconds: 110_000_000))
        }
        clocks.pass(seconds: 89)
        try removeDue()
        #expect(try message(2, "m") != nil)
        clocks.pass(seconds: 2)
        try removeDue()
        try settle()
        for device in 0..<3 {
            #expect(try message(device, "m") == nil)
        }
    }

    @Test func `an expired message is also deleted on a device that received it later`() throws {
        let timer = MessageTimer(lifetime: try RetentionPeriod(milliseconds: 100_000), start: .reading)
        try write(
            0, .saveMessage(NewMessage(id: EntityID("m"), conversation: ann, text: "text", timer: .timer(timer))))
        try fleet.collect(0)
        #expect(try fleet.deliver(from: 0, to: 1))
        try write(1, .markMessagesRead([EntityID("m")]))
        try fleet.collect(1)
        clocks.pass(seconds: 200)
        try removeDue()
        // A message whose timer has run out is deleted at its arrival, or by the next call of `removeDue`.
        try fleet.settle()
        try removeDue()
        try settle()
        for device in 0..<3 {
            #expect(try message(device, "m") == nil)
        }
    }

    @Test func `the retention that any device has set last applies on all devices`() throws {
        var retention = ConversationRetention()
        retention.keepCount = 5
        for number in 0..<4 {
            for device in 0..<3 {
                try write(
                    device,
                    .saveMessage(
                        NewMessage(
                            id: EntityID("\(device) \(number)"), conversation: ann, text: "text",
                            timestamp: clocks.wall)))
                clocks.pass(seconds: 1)
            }
        }
        try settle()
        try write(1, .updateConversation(ann, ConversationUpdate(retention: RetentionUpdate(all: retention))))
        try settle()
        try removeDue()
        try settle()
        let page = try fleet.reader(2).messages(MessageQuery(conversation: ann))
        #expect(page.messages.map(\.id.text) == ["2 3", "1 3", "0 3", "2 2", "1 2"])
        retention.keepFor = try RetentionPeriod(milliseconds: 10_000)
        try write(0, .updateConversation(ann, ConversationUpdate(retention: RetentionUpdate(all: retention))))
        try settle()
        clocks.pass(seconds: 60)
        try removeDue()
        try settle()
        let conversations = try fleet.reader(1).conversations(ConversationQuery())
        #expect(conversations.conversations.map(\.messageCount) == [0])
    }
}
