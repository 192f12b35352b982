import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests the deletion of messages by time, in a group in which one device has a wrong clock.
@Suite struct ReplicaWrongClockTests {
    private let right = FakeClocks()
    private let wrong = FakeClocks()
    private let fleet: ReplicaFleet
    private let ann = ConversationReference.session(SessionID(trusted: "ann"))
    private static let hour: Int64 = 3_600
    private static let day: Int64 = 86_400

    init() throws {
        let (right, wrong) = (right, wrong)
        fleet = try ReplicaFleet(
            deviceCount: 1, seed: 1, kinds: [], each: ReplicaFleet.Clocks { $0 == 1 ? wrong.clocks : right.clocks })
    }

    private func write(_ device: Int, _ mutation: Mutation) throws {
        try fleet.devices[device].engine.write(mutation)
    }

    private func save(_ device: Int, _ id: String, hoursAgo: Int64 = 0, timer: TimerChoice = .none) throws {
        let timestamp = right.wall.advanced(byMicroseconds: -hoursAgo * Self.hour * 1_000_000)
        try write(
            device,
            .saveMessage(
                NewMessage(id: EntityID(id), conversation: ann, text: "text", timestamp: timestamp, timer: timer)))
    }

    private func keep(_ device: Int, hours: UInt64? = nil, count: UInt32? = nil) throws {
        var retention = ConversationRetention(keepCount: count)
        retention.keepFor = try hours.map { try RetentionPeriod(milliseconds: $0 * 3_600_000) }
        try write(device, .updateConversation(ann, ConversationUpdate(retention: RetentionUpdate(all: retention))))
    }

    /// Lets a device join whose clock is ahead.
    private func join(aheadSeconds: Int64) throws {
        wrong.setWall(bySeconds: aheadSeconds)
        try fleet.addStore()
        try fleet.join(fleet.devices.count - 1, by: 0)
    }

    private func pass(seconds: Int64) throws {
        right.pass(seconds: seconds)
        wrong.pass(seconds: seconds)
        try settle()
    }

    /// Deletes due messages and delivers all batches, until all devices are in step.
    private func settle() throws {
        for _ in 0..<2 {
            for index in fleet.devices.indices {
                try write(index, .removeDueMessages)
            }
            try fleet.settle()
        }
    }

    private func ids(_ device: Int) throws -> [String] {
        let reader = fleet.reader(device)
        guard try reader.conversation(ann, includeAvatar: false) != nil else { return [] }
        return try reader.messages(MessageQuery(conversation: ann, limit: 100)).messages.map(\.id.text).sorted()
    }

    private func removals(toldBy device: Int) throws -> [String] {
        try fleet.told(by: device).compactMap { record in
            guard case .message(let message) = record, message.content == nil, !message.isTimerStarted else {
                return nil
            }
            return message.id
        }
    }

    @Test(arguments: [1, 2 * 86_400, 2 * yearSeconds] as [Int64])
    func `a device that joins with a fast clock deletes nothing early`(seconds: Int64) throws {
        for hours in 1...3 {
            try save(0, "\(hours)", hoursAgo: Int64(hours))
        }
        try keep(0, hours: 24)
        try join(aheadSeconds: seconds)
        if seconds > 600 {
            let seen = try #require(fleet.status(1).devices.first)
            #expect(seen.behindMilliseconds / 1_000 == UInt64(seconds), "known at joining")
        }
        try settle()
        #expect(try ids(0) == ["1", "2", "3"])
        #expect(try ids(1) == ["1", "2", "3"])
        if seconds > 600 {
            #expect(try fleet.status(0).devices.first?.aheadMilliseconds == UInt64(seconds) * 1_000)
        }
        try pass(seconds: 22 * Self.hour)
        #expect(try ids(0) == ["1"])
        #expect(try ids(1) == ["1"], "the device whose clock is ahead deletes by the other clock")
        #expect(try removals(toldBy: 0) == [])
        #expect(try removals(toldBy: 1) == [])
        #expect(try fleet.content(0) == fleet.content(1))
    }

    @Test(arguments: [-86_400, -90, 90, yearSeconds] as [Int64])
    func `a timer ends a lifetime after its start, whatever the clock of the device shows`(seconds: Int64) throws {
        try join(aheadSeconds: seconds)
        let minute = MessageTimer(lifetime: try RetentionPeriod(milliseconds: 60_000), start: .reading)
        try save(0, "m", timer: .timer(minute))
        try settle()
        try write(1, .markMessagesRead([EntityID("m")]))
        try settle()
        try pass(seconds: 59)
        #expect(try ids(0) == ["m"])
        #expect(try ids(1) == ["m"])
        try pass(seconds: 1)
        #expect(try ids(0) == [])
        #expect(try ids(1) == [])
        #expect(try removals(toldBy: 0) == [])
        #expect(try removals(toldBy: 1) == [])
    }

    @Test func `an expired message comes back only if its timer was removed`() throws {
        try join(aheadSeconds: 0)
        let minute = MessageTimer(lifetime: try RetentionPeriod(milliseconds: 60_000), start: .reading)
        for id in ["edited", "kept"] {
            try save(0, id, timer: .timer(minute))
        }
        try settle()
        try write(1, .markMessagesRead([EntityID("edited"), EntityID("kept")]))
        right.pass(seconds: 60)
        wrong.pass(seconds: 60)
        try write(1, .removeDueMessages)
        #expect(try ids(1) == [])
        // The other device does not know yet that the messages were read.
        try write(0, .editMessage(EntityID("edited"), text: "edited", editedAt: nil))
        try save(0, "kept", timer: .none)
        try fleet.publish(0)
        while try fleet.takeNext(1) {}
        #expect(try ids(1) == ["kept"])
        try settle()
        try pass(seconds: 60)
        #expect(try ids(0) == ["kept"])
        #expect(try ids(1) == ["kept"])
    }

    @Test func `messages that were deleted by their number are not published as deleted and do not come back`() throws {
        try join(aheadSeconds: 2 * Self.day)
        try write(0, .getOrCreateConversation(SessionID(trusted: "ann"), id: nil, displayName: nil))
        try keep(0, count: 2)
        try settle()
        for number in 1...4 {
            try save(number % 2, "\(number)", hoursAgo: Int64(9 - number))
        }
        try settle()
        #expect(try ids(0) == ["3", "4"])
        #expect(try ids(1) == ["3", "4"])
        #expect(try removals(toldBy: 0) == [])
        #expect(try removals(toldBy: 1) == [])
        for device in [0, 1] {
            #expect(try fleet.devices[device].engine.rowCount(of: "replica_messages") == 0, "nothing is remembered")
        }
        #expect(try fleet.content(0) == fleet.content(1))
    }
}
