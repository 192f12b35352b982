internal import StoreBasics
import StoreClient

/// The conversations and messages of a run. Everything in it is computed from its numbers, nothing is kept.
struct DataSet: Sendable {
    /// Conversations that hold the preloaded messages, ten at a time in turn, as people write.
    let conversationCount: Int
    let messageCount: Int
    private static let messagesInARow = 10
    private let startMilliseconds: UInt64
    private let seed: UInt64

    /// - Parameters:
    ///   - conversationCount: at least 1.
    ///   - messageCount: preloaded messages, 0 or more.
    init(conversationCount: Int, messageCount: Int) {
        precondition(conversationCount > 0 && messageCount >= 0)
        self.conversationCount = conversationCount
        self.messageCount = messageCount
        startMilliseconds = UInt64(Timestamp.now.microseconds / 1_000)
        var source = SystemRandomNumberGenerator()
        seed = source.next()
    }

    /// Ids of greater numbers sort later, and ten million need no memory; 4,096 numbers share a millisecond.
    @inline(__always)
    private func id(_ number: Int, seed: UInt64) -> UUIDv7 {
        let number = UInt64(number)
        return UUIDv7(
            milliseconds: startMilliseconds + number >> 12, order: number, random: SplitMix.mix(seed ^ number))
    }

    /// The id of a message; numbers from `messageCount` on are those saved by the run itself.
    @inline(__always)
    func messageID(_ number: Int) -> UUIDv7 {
        id(number, seed: seed)
    }

    @inline(__always)
    func conversationID(_ number: Int) -> UUIDv7 {
        id(number, seed: ~seed)
    }

    func conversationReference(_ number: Int) -> ConversationReference {
        .id(conversationID(number).description)
    }

    /// The conversation one client saves into.
    @inline(__always)
    func clientConversationID(_ client: Int) -> UUIDv7 {
        conversationID(conversationCount + client)
    }

    /// Scenes have names of their own kind: they may be those of conversations.
    @inline(__always)
    func sceneName(_ number: Int) -> UUIDv7 {
        conversationID(number)
    }

    /// Unique to this run, 22 characters.
    func sessionID(ofConversation number: Int) -> String {
        let run = String(seed >> 32, radix: 16)
        let digits = String(number)
        return "bench-" + run + "-" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    }

    /// A preloaded message. Its timestamps rise by one microsecond and lie before the run.
    func message(_ number: Int) -> NewMessage {
        let conversation = number / Self.messagesInARow % conversationCount
        let start = Timestamp(microseconds: Int64(startMilliseconds) * 1_000 - Int64(messageCount))
        return NewMessage(
            id: messageID(number).description, conversation: .id(conversationID(conversation).description),
            text: SampleTexts.all[number % SampleTexts.all.count],
            senderSessionID: sessionID(ofConversation: conversation), recipientSessionID: Self.ownSessionID,
            timestamp: start.advanced(byMicroseconds: Int64(number)), status: .sent,
            isOutgoing: number.isMultiple(of: 2))
    }

    static let ownSessionID = "bench-own-session"
}
