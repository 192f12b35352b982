import Foundation
import StoreClient
import Testing

@Suite struct CodableTests {
    private func expectSame<Value: Codable & Equatable>(_ value: Value) throws {
        #expect(try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value)
    }

    @Test func `models come back from JSON as they were`() throws {
        let time = Timestamp(microseconds: 1_732_161_241_000_250)
        let message = Message(
            id: "m", conversationID: "c", text: "t\u{e9}", senderSessionID: "05a", timestamp: time, status: .failed,
            attachmentType: "image/png", createdAt: time, editedAt: time)
        try expectSame(message)
        try expectSame(NewMessage(id: "n", conversation: .sessionID("05a"), text: "t", timestamp: time))
        try expectSame(
            Conversation(
                id: "c", sessionID: "05a", avatar: [1, 2],
                lastMessage: LastMessage(id: "m", text: "t", timestamp: time), createdAt: time, updatedAt: time,
                lastActivityAt: time))
        try expectSame(Change(revision: .max, kind: .message, operation: .created, id: "m", committedAt: time))
        try expectSame(
            Log(
                name: "l", configuration: LogConfiguration(maximumBytes: 64, overwritesOldest: true), createdAt: time,
                sequences: 1...9))
        try expectSame(LogEntry(sequence: 1, data: [0, 255]))
        try expectSame(MessageQuery(conversation: .id("c"), limit: 3, order: .oldestFirst))
        try expectSame([Timestamp(microseconds: .min), Timestamp(microseconds: .max)])
    }

    @Test func `enumerations are words in JSON`() throws {
        let change = Change(
            revision: 1, kind: .sceneValue, operation: .cleared, id: "k", committedAt: Timestamp(microseconds: 5))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let expected =
            #"{"committedAt":5,"id":"k","kind":"sceneValue","operation":"cleared","revision":1}"#
        #expect(String(decoding: try encoder.encode(change), as: UTF8.self) == expected)
    }

    @Test(arguments: [0, 1, -1, 1_732_161_241_000_250, -62_135_596_800_000_000, 4_102_444_800_999_999] as [Int64])
    func `a timestamp comes back from a date`(microseconds: Int64) {
        let timestamp = Timestamp(microseconds: microseconds)
        let back = Timestamp(timestamp.date)
        #expect(abs(back.microseconds - microseconds) <= 8, "a date has 53 bits")
        #expect(microseconds < 0 || back == timestamp)
    }

    @Test func `a date outside of the range does not trap`() {
        #expect(Timestamp(Date.distantFuture) > Timestamp.now)
        #expect(Timestamp(Date(timeIntervalSince1970: 1e300)) == Timestamp(microseconds: .max))
        #expect(Timestamp(Date(timeIntervalSince1970: -.infinity)) == Timestamp(microseconds: .min))
        #expect(Timestamp(Date(timeIntervalSince1970: .nan)) == Timestamp(microseconds: 0))
    }
}
