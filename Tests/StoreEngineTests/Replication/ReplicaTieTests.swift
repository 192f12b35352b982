import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that messages with equal timestamps have the same order on all devices of a group, in whatever order they
/// arrived.
@Suite struct ReplicaTieTests {
    private let talk = ConversationReference.session(SessionID(trusted: "talk"))

    private func fleet(deviceCount: Int, keepCount: UInt32?) throws -> ReplicaFleet {
        let fleet = try ReplicaFleet(deviceCount: deviceCount, seed: 9, kinds: [])
        let engine = fleet.devices[0].engine
        try engine.write(.getOrCreateConversation(SessionID("talk"), id: nil, displayName: nil))
        if let keepCount {
            let retention = RetentionUpdate(all: ConversationRetention(keepCount: keepCount))
            try engine.write(.updateConversation(talk, ConversationUpdate(retention: retention)))
        }
        try fleet.settle()
        return fleet
    }

    private func save(_ names: [String], _ engine: StoreEngine) throws {
        for name in names {
            try engine.write(
                .saveMessage(
                    NewMessage(
                        id: try EntityID(name), conversation: talk, text: name, timestamp: Timestamp(microseconds: 5))))
        }
    }

    private func ids(_ engine: StoreEngine) throws -> [String] {
        let query = MessageQuery(conversation: talk, limit: 1_000, order: .oldestFirst)
        return try engine.makeReader().messages(query).messages.map(\.id.text)
    }

    @Test func `all devices list messages with equal times by their ids and show the same last one`() throws {
        let fleet = try fleet(deviceCount: 3, keepCount: nil)
        let names = ["z", "a", "caf\u{e9}", "cafe\u{301}", "m1", "m"]
        for (index, device) in fleet.devices.enumerated() {
            try save(names.map { $0 + "\(index)" }, device.engine)
        }
        try fleet.settle()
        let all = (0..<3).flatMap { index in names.map { EntityID(trusted: $0 + "\(index)") } }.sorted().map(\.text)
        for device in fleet.devices {
            #expect(try ids(device.engine) == all)
            let shown = try device.engine.makeReader().conversation(talk, includeAvatar: false)?.lastMessage?.id.text
            #expect(shown == all.last)
        }
    }

    /// Tests messages that several devices save within one second. Without a common order each device would delete what
    /// the others keep.
    @Test(arguments: [1, 2, 3, 7] as [UInt32])
    func `a conversation that keeps a number of messages keeps the same ones on all devices`(
        keepCount: UInt32
    ) throws {
        let fleet = try fleet(deviceCount: 3, keepCount: keepCount)
        for (index, device) in fleet.devices.enumerated() {
            try save((0..<5).map { "\(["b", "c", "a"][index])\($0)" }, device.engine)
        }
        for _ in 0..<4 {
            try fleet.settle()
            for device in fleet.devices {
                try device.engine.write(.removeDueMessages)
            }
        }
        try fleet.settle()
        let all = ["a", "b", "c"].flatMap { name in (0..<5).map { "\(name)\($0)" } }
        for device in fleet.devices {
            #expect(try ids(device.engine) == all.suffix(Int(keepCount)))
        }
    }
}
