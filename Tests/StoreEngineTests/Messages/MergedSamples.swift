import SQLCipher
import StoreBasics

@testable import StoreEngine

/// Stores with messages in several conversations: busy, rare, pinned, empty and deleted ones.
struct MergedSamples {
    struct Sample {
        let id: EntityID
        let conversation: String
        let start: Timestamp
        let time: Timestamp
        let sender: String
        let status: MessageStatus
        let isOutgoing: Bool
        let isRead: Bool
        let hasAttachment: Bool
        let kind: String
        /// True if the message has expired.
        let isOver: Bool

        /// - Parameter start: The earliest time of the samples. Many of them have equal times.
        init(_ number: Int, start: Timestamp, _ random: inout SplitMix) {
            id = EntityID(trusted: MixedIDs.text(number, Int64(number)))
            // The first conversation has about half of the messages.
            conversation = "c\(max(0, Int.random(in: -4...5, using: &random)))"
            self.start = start
            time = start.advanced(byMicroseconds: Int64.random(in: 0..<20, using: &random))
            sender = Bool.random(using: &random) ? "bob" : "carol"
            status = MessageStatus.allCases[Int.random(in: 0..<4, using: &random)]
            isOutgoing = Bool.random(using: &random)
            isRead = Bool.random(using: &random)
            hasAttachment = Bool.random(using: &random)
            kind = ["", "", "call"][Int.random(in: 0..<3, using: &random)]
            isOver = !isOutgoing && Int.random(in: 0..<4, using: &random) == 0
        }

        var cursor: MessageCursor { MessageCursor(timestamp: time, id: id) }

        func message() throws(StoreError) -> NewMessage {
            let minute = MessageTimer(lifetime: try RetentionPeriod(milliseconds: 60_000), start: .sending)
            return NewMessage(
                id: id, conversation: .session(SessionID(trusted: conversation)), text: id.text,
                senderSessionID: sender, timestamp: time, status: status, isOutgoing: isOutgoing, isRead: isRead,
                attachmentURL: hasAttachment ? "u" : nil, timer: isOver ? .timer(minute) : .none, kind: kind)
        }
    }

    static let deleted = "c4"

    /// Returns a store at the moment at which the messages with a timer have expired and are not deleted yet.
    func store(
        _ clocks: FakeClocks, count: Int, _ random: inout SplitMix
    ) throws -> (TemporaryStore, [Sample]) {
        let store = try TemporaryStore(clocks: clocks.clocks)
        let start = clocks.wall
        var samples = (0..<count).map { Sample($0, start: start, &random) }
        for sample in samples.shuffled(using: &random) {
            try store.engine.write(.saveMessage(try sample.message()))
        }
        for pinned in ["c0", "c3"] {
            try store.engine.write(
                .updateConversation(.session(SessionID(trusted: pinned)), ConversationUpdate(isPinned: true)))
        }
        try store.engine.write(.getOrCreateConversation(SessionID("empty"), id: nil, displayName: nil))
        clocks.pass(seconds: 61)
        // The messages of a deleted conversation stay for a while. Without a removal, they stay during the whole test.
        try store.engine.execute("DELETE FROM conversations WHERE session_id = '\(Self.deleted)'")
        samples.removeAll { $0.conversation == Self.deleted }
        return (store, samples)
    }

    /// Returns the samples that lists show, in order.
    static func sorted(_ samples: [Sample], _ order: MessageOrder) -> [Sample] {
        let shown = samples.filter { !$0.isOver }.sorted { $0.cursor < $1.cursor }
        return order == .oldestFirst ? shown : shown.reversed()
    }
}
