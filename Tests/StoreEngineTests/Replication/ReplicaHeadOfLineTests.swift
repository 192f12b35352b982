import ReplicaModel
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that changes do not wait until large contents, which were saved before them, are published.
@Suite struct ReplicaHeadOfLineTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
    }

    private static let large = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
    /// The largest number of bytes that may be published before a change: a full window of pieces and the batch that
    /// filled the window, both sealed.
    private static let bytesMax = 640 << 10

    private var channel: ReplicaChannel { .device(number(0)) }

    /// Publishes and delivers the next messages of the first device, as an agent does.
    ///
    /// - Returns: The bytes of the messages; 0 if there are none.
    private func transfer() throws -> Int {
        let stored = fleet.log.lastSequence(channel)
        let messages = try fleet.take(0, channel, storedThrough: stored)
        for message in messages {
            fleet.log.append(channel, message.sequence, message.bytes)
            while try fleet.deliver(from: 0, to: 1) {}
            if let photo = try self.message(1, "photo") {
                #expect(photo.attachments.map(\.isStored) == [true], "the message arrives with its content")
            }
        }
        return messages.reduce(0) { $0 + $1.bytes.count }
    }

    /// Transfers messages until a condition holds.
    ///
    /// - Returns: The bytes that were transferred.
    private func transfer(until isDone: () throws -> Bool) throws -> Int {
        var byteCount = 0
        while try !isDone() {
            let next = try transfer()
            try #require(next > 0, "nothing more is published")
            byteCount += next
        }
        return byteCount
    }

    private func transferRest() throws {
        while try transfer() > 0 {}
        try fleet.settle()
    }

    @Test func `a text overtakes a large attachment, and the attachment's message arrives with its content`() throws {
        try saveLarge(0, "photo", Self.large)
        try save(0, "text")
        #expect(try transfer(until: { try message(1, "text") != nil }) <= Self.bytesMax)
        #expect(try message(1, "photo") == nil)
        for number in 0..<3 {
            try save(0, "later \(number)")
            #expect(try transfer(until: { try message(1, "later \(number)") != nil }) <= Self.bytesMax)
        }
        #expect(try message(1, "photo") == nil)
        try transferRest()
        #expect(try content(1, "photo") == Self.large)
        #expect(try fleet.content(0) == fleet.content(1))
    }

    @Test func `a text overtakes a large file`() throws {
        let path = try FilePath(.document, "film")
        try engine(0).writeFile(at: path, Self.large)
        try save(0, "text")
        #expect(try transfer(until: { try message(1, "text") != nil }) <= Self.bytesMax)
        try transferRest()
        #expect(try fleet.content(0) == fleet.content(1))
    }

    @Test func `what happens to a message while it waits arrives with it`() throws {
        for (id, seed) in [("photo", UInt8(1)), ("other", 2)] {
            try saveLarge(0, id, Self.large.map { $0 ^ seed })
        }
        _ = try transfer()
        let reaction = ReactionReference(
            messageID: try EntityID("photo"), authorSessionID: SessionID(trusted: "ann"), emoji: try Emoji("👍"))
        try engine(0).write(.addReaction(reaction))
        try engine(0).write(.editMessage(EntityID("photo"), text: "edited", editedAt: nil))
        try engine(0).write(.deleteMessages([EntityID("other")]))
        _ = try transfer()
        try fleet.restart(0)
        #expect(try message(1, "photo") == nil)
        try transferRest()
        let photo = try #require(try message(1, "photo"))
        #expect(photo.text == "edited" && photo.reactions.count == 1)
        #expect(try message(1, "other") == nil)
        #expect(try fleet.content(0) == fleet.content(1))
        #expect(try engine(0).rowCount(of: "replica_delayed_messages") == 0)
    }

    @Test func `a message waits also if a batch of another device is merged meanwhile`() throws {
        try saveLarge(0, "photo", Self.large)
        try save(1, "from the other")
        try fleet.publish(1)
        while try fleet.deliver(from: 1, to: 0) {}
        try save(0, "text")
        #expect(try transfer(until: { try message(1, "text") != nil }) <= Self.bytesMax)
        #expect(try message(1, "photo") == nil)
        try transferRest()
        #expect(try fleet.content(0) == fleet.content(1))
    }
}
