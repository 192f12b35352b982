/// Tells one operation from another: which call it is and what it is about, not what it writes. Kept beside an
/// idempotency key, so that a key used again for something else is refused instead of answered.
///
/// FNV-1a of 64 bits (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv): the same in every process. Whoever
/// finds two operations that share one deceives only themselves: keys are kept apart by user.
struct MutationFingerprint: Hashable, Sendable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    init(value: UInt64) {
        self.value = value
    }

    /// The numbers of the kinds are kept at rest within the fingerprint: they stay as they are.
    init(_ mutation: Mutation) {
        switch mutation {
        case .getOrCreateConversation(let sessionID, _, _):
            add(1, sessionID.text)
        case .updateConversation(let reference, _):
            add(2, reference)
        case .markConversationRead(let reference):
            add(3, reference)
        case .deleteConversation(let reference):
            add(4, reference)
        case .saveMessage(let message):
            add(5, message)
        case .saveMessages(let messages):
            messages.forEach { add(6, $0) }
        case .updateMessageStatus(let ids, let status):
            add(7, ids)
            add(UInt8(truncatingIfNeeded: status.rawValue))
        case .markMessagesRead(let ids):
            add(8, ids)
        case .editMessage(let id, _, _):
            add(9, id.text)
        case .deleteMessages(let ids):
            add(10, ids)
        case .saveContact(let contact):
            add(11, contact.sessionID.text)
        case .deleteContact(let sessionID):
            add(12, sessionID.text)
        case .setContactBlocked(let sessionID, let isBlocked):
            add(isBlocked ? 13 : 14, sessionID.text)
        case .setSceneValues(let tiers, let changes, _):
            add(15, tiers.own)
            changes.forEach { add(15, $0.key.text) }
        case .removeScene(let scene):
            add(16, scene.text)
        case .openLog(let name, _):
            add(17, name.text)
        case .appendLog(let append):
            add(18, append.log.text)
            add(18, String(append.messages.count))
        case .deleteLog(let name):
            add(19, name.text)
        case .clearAllData:
            add(20)
        case .compactChanges(let revision):
            add(21, String(revision))
        }
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }

    /// The end of a text is a byte that UTF-8 never has, so that no two lists of texts run together.
    private mutating func add(_ kind: UInt8, _ text: String) {
        add(kind)
        for byte in text.utf8 {
            add(byte)
        }
        add(0xff)
    }

    private mutating func add(_ kind: UInt8, _ ids: [EntityID]) {
        for id in ids {
            add(kind, id.text)
        }
    }

    private mutating func add(_ kind: UInt8, _ reference: ConversationReference) {
        switch reference {
        case .id(let id): add(kind, id.text)
        case .session(let sessionID): add(kind | 0x80, sessionID.text)
        }
    }

    private mutating func add(_ kind: UInt8, _ message: NewMessage) {
        add(kind, message.conversation)
        add(kind, message.id?.text ?? "")
    }
}
