import StoreBasics
import StoreEngine

/// A conversation, in which the client saves, changes and deletes messages and a draft.
struct MessageSubject: Subject {
    private struct Message {
        var text: String
        var isOutgoing: Bool
        var isRead = false
        var status = MessageStatus.pending

        var line: String { Self.line(text, isOutgoing, isRead, Int64(status.rawValue)) }

        static func line(_ text: String, _ isOutgoing: Bool, _ isRead: Bool, _ status: Int64) -> String {
            "\(isOutgoing ? "out" : isRead ? "read" : "new") \(status) \(text)"
        }
    }

    private static let messagesMax = 40

    private let client: Int
    private var isThere = false
    private var messages: [String: Message] = [:]
    private var draft: String?
    /// All texts that were ever sent.
    private var texts: [String] = []

    init(client: Int) {
        self.client = client
    }

    private var sessionText: String { "session-\(client)" }

    private var ids: [String] { messages.keys.sorted() }

    var contents: [String: String] {
        var contents = messages.mapValues(\.line)
        contents["draft"] = draft
        if isThere {
            let unread = messages.values.count { !$0.isOutgoing && !$0.isRead }
            contents["conversation"] = "\(messages.count) messages, \(unread) unread"
        }
        return contents
    }

    var isReadAtOnce: Bool { false }

    var removedBytes: [Needle] {
        let there = Set(messages.values.map(\.text) + [draft].compactMap(\.self))
        // A text begins with a word and a random number that occurs in no other text. The first digits of the number
        // are the needle. A text whose number has too few digits is left out, which is rare.
        return texts.filter { !there.contains($0) }.compactMap { text in
            Needle(text.utf8.dropFirst(5).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        }
    }

    func read(_ reader: StoreReader) throws(StoreError) -> [String: String] {
        let session = ConversationReference.session(try SessionID(sessionText))
        guard let conversation = try reader.conversation(session, includeAvatar: false) else { return [:] }
        var contents = [
            "conversation": "\(conversation.messageCount) messages, \(conversation.unreadCount) unread"
        ]
        contents["draft"] = try reader.draft(in: session)?.content.text
        _ = try reader.messages(MessageQuery(conversation: session, limit: 1_000)) { message in
            func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
            contents[text(message.id)] = Message.line(
                text(message.text), message.isOutgoing, message.isRead, message.status)
            return .goOn
        }
        return contents
    }

    mutating func next(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work {
        let session = ConversationReference.session(try SessionID(sessionText))
        if messages.count > Self.messagesMax {
            return try delete(ids.count / 2, &random)
        }
        switch random.number(below: isThere ? 24 : 4) {
        case 0...7: return .mutation(.saveMessage(try save(number, 0, &random)))
        case 8, 9:
            var new: [NewMessage] = []
            for place in 0...random.number(below: 5) {
                new.append(try save(number, place, &random))
            }
            return .mutation(.saveMessages(new))
        case 10, 11: return try edit(number, &random)
        case 12, 13: return messages.isEmpty ? try saving(number, &random) : try delete(3, &random)
        case 14, 15: return try markRead(number, &random)
        case 16:
            for id in ids { messages[id]?.isRead = true }
            return .mutation(.markConversationRead(session))
        case 17, 18: return try setStatus(number, &random)
        case 19 where number > 20:
            (messages, draft, isThere) = ([:], nil, false)
            return .mutation(.deleteConversation(session))
        case 20:
            draft = nil
            return .mutation(.deleteDraft(session))
        default:
            let text = text(bytesMax: 300, &random)
            (draft, isThere) = (text, true)
            return .mutation(.saveDraft(NewDraft(conversation: session, content: DraftContent(text: text))))
        }
    }

    private mutating func text(bytesMax: Int, _ random: inout SplitMix) -> String {
        let text = random.text(bytesMax: bytesMax)
        texts.append(text)
        return text
    }

    private mutating func saving(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work {
        .mutation(.saveMessage(try save(number, 0, &random)))
    }

    private mutating func save(
        _ number: Int, _ place: Int, _ random: inout SplitMix
    ) throws(StoreError) -> NewMessage {
        let id = "message-\(client)-\(number)-\(place)"
        let message = Message(text: text(bytesMax: 600, &random), isOutgoing: random.isOne(of: 2))
        messages[id] = message
        isThere = true
        return NewMessage(
            id: try EntityID(id), conversation: .session(try SessionID(sessionText)), text: message.text,
            timestamp: Timestamp(microseconds: 1_700_000_000_000_000 + Int64(number * 10 + place)),
            isOutgoing: message.isOutgoing)
    }

    private mutating func edit(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work {
        guard let id = random.element(of: ids) else { return try saving(number, &random) }
        let text = text(bytesMax: 600, &random)
        messages[id]?.text = text
        return .mutation(.editMessage(try EntityID(id), text: text, editedAt: nil))
    }

    private mutating func delete(_ countMax: Int, _ random: inout SplitMix) throws(StoreError) -> Work {
        var deleted: [EntityID] = []
        for _ in 0...random.number(below: countMax) {
            guard let id = random.element(of: ids) else { break }
            messages[id] = nil
            deleted.append(try EntityID(id))
        }
        return .mutation(.deleteMessages(deleted))
    }

    private mutating func markRead(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work {
        let incoming = ids.filter { messages[$0]?.isOutgoing == false }
        guard let id = random.element(of: incoming) else { return try saving(number, &random) }
        messages[id]?.isRead = true
        return .mutation(.markMessagesRead([try EntityID(id)]))
    }

    private mutating func setStatus(_ number: Int, _ random: inout SplitMix) throws(StoreError) -> Work {
        guard let id = random.element(of: ids), let status = random.element(of: MessageStatus.allCases) else {
            return try saving(number, &random)
        }
        messages[id]?.status = status
        return .mutation(.updateMessageStatus([try EntityID(id)], status))
    }
}
