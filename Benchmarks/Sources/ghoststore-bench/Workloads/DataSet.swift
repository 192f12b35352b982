import StoreBasics
import StoreClient

/// The conversations and messages of a run. Everything is computed from numbers, so nothing is stored in memory.
struct DataSet: Sendable {
    /// The number of conversations with preloaded messages. Ten consecutive messages go to one conversation, and the
    /// next ten to the next conversation.
    let conversationCount: Int
    let messageCount: Int
    private static let messagesInARow = 10
    private let startMilliseconds: UInt64
    private let seed: UInt64

    /// - Parameters:
    ///   - conversationCount: at least 1.
    ///   - messageCount: the number of preloaded messages, 0 or more.
    ///   - seed: the seed of a data set that another run can reproduce, or `nil` for a data set of this run only.
    init(conversationCount: Int, messageCount: Int, seed: UInt64? = nil) {
        precondition(conversationCount > 0 && messageCount >= 0)
        self.conversationCount = conversationCount
        self.messageCount = messageCount
        if let seed {
            startMilliseconds = Self.seededStartMilliseconds
            self.seed = SplitMix.mix(seed)
        } else {
            startMilliseconds = UInt64(Timestamp.now.microseconds / 1_000)
            var source = SystemRandomNumberGenerator()
            self.seed = source.next()
        }
    }

    /// The beginning of 2026.
    private static let seededStartMilliseconds: UInt64 = 1_767_225_600_000

    /// Returns the id with a number. Larger numbers have ids that sort later, and 4,096 numbers share a millisecond.
    /// The id is computed, so even ten million ids need no memory.
    @inline(__always)
    private func id(_ number: Int, seed: UInt64) -> UUIDv7 {
        let number = UInt64(number)
        return UUIDv7(
            milliseconds: startMilliseconds + number >> 12, order: number, random: SplitMix.mix(seed ^ number))
    }

    /// Returns the id of a message. Numbers from `messageCount` on are messages that the run itself saves.
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

    /// Returns the id of the conversation that a client saves into.
    @inline(__always)
    func clientConversationID(_ client: Int) -> UUIDv7 {
        conversationID(conversationCount + client)
    }

    /// Returns the name of a scene. Scenes and conversations have separate names, so a scene may use a conversation's
    /// id.
    @inline(__always)
    func sceneName(_ number: Int) -> UUIDv7 {
        conversationID(number)
    }

    /// Returns the session id of a conversation: at most 22 characters for numbers below 10,000,000. It contains 32
    /// bits of the seed, so that runs with different random seeds hardly ever use the same session id.
    func sessionID(ofConversation number: Int) -> String {
        let run = String(seed >> 32, radix: 16)
        let digits = String(number)
        return "bench-" + run + "-" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    }

    /// Returns a preloaded message. The timestamps rise by one microsecond each, and all are before the run.
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

/// Message texts of several lengths and scripts, with about 100 bytes in the mean.
enum SampleTexts {
    static let all = [
        "Ok, see you there.",
        "Did you get the photos I sent yesterday? Let me know which ones you would like to keep for the album.",
        "Das Treffen wurde auf Donnerstag um halb drei verschoben, bitte bring die unterschriebenen Unterlagen mit.",
        "The train is twelve minutes late again, so start without me; I will join you for the second half of it.",
        "昨日の資料を確認しました。来週の月曜日までに返事をします。",
        "I looked at the numbers once more, and it seems to me that we forgot the shipping costs of the last two "
            + "orders; could you send me the invoices tonight, so that I can correct the table before the call?",
        "¿Puedes llamarme cuando llegues a casa? Tengo que contarte algo importante sobre el viaje de mañana.",
        "Thanks! That is exactly what I needed, it saved me at least an hour of searching.",
    ]
}

/// The log of a run, to which all clients append.
enum SampleLog {
    static let name = "bench"
    private static let configuration = LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: true)
    /// The size of a log message. It is similar to the size of a message of a conversation in the database.
    static let messageBytes = 200
    /// The number of messages in the full log, with 204 bytes each.
    static let messagesMax = (1 << 20) / (messageBytes + 4)

    static func open(socketPath: String) async throws {
        let client = try await StoreClient.connect(to: socketPath)
        try await client.openLog(name, configuration)
        await client.close()
    }
}
