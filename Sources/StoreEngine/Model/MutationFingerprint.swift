import StoreBasics

/// Tells one operation from another: which call it is and what it is about, not what it writes. Kept beside an
/// idempotency key, so that a key used again for something else is refused instead of answered.
///
/// Whoever finds two operations that share one deceives only themselves: keys are kept apart by user.
struct MutationFingerprint: Hashable, Sendable {
    let value: UInt64

    init(value: UInt64) {
        self.value = value
    }

    /// The numbers of the kinds are kept at rest within the fingerprint: they stay as they are.
    init(_ mutation: Mutation) {
        var hash = StableHash()
        switch mutation {
        case .getOrCreateConversation(let sessionID, _, _):
            hash.add(1, sessionID.text)
        case .updateConversation(let reference, _):
            hash.add(2, reference)
        case .markConversationRead(let reference):
            hash.add(3, reference)
        case .deleteConversation(let reference):
            hash.add(4, reference)
        case .saveMessage(let message):
            hash.add(5, message)
        case .saveMessages(let messages):
            messages.forEach { hash.add(6, $0) }
        case .updateMessageStatus(let ids, let status):
            hash.add(7, ids)
            hash.combine(UInt8(truncatingIfNeeded: status.rawValue))
        case .markMessagesRead(let ids):
            hash.add(8, ids)
        case .editMessage(let id, _, _):
            hash.add(9, id.text)
        case .deleteMessages(let ids):
            hash.add(10, ids)
        case .saveContact(let contact):
            hash.add(11, contact.sessionID.text)
        case .deleteContact(let sessionID):
            hash.add(12, sessionID.text)
        case .setContactBlocked(let sessionID, let isBlocked):
            hash.add(isBlocked ? 13 : 14, sessionID.text)
        case .setSceneValues(let tiers, let changes, _):
            hash.add(15, tiers.own)
            changes.forEach { hash.add(15, $0.key.text) }
        case .removeScene(let scene):
            hash.add(16, scene.text)
        case .openLog(let name, _):
            hash.add(17, name.text)
        case .appendLog(let append):
            hash.add(18, append.log.text)
            hash.add(18, String(append.messages.count))
        case .deleteLog(let name):
            hash.add(19, name.text)
        case .clearAllData:
            hash.combine(20)
        case .compactChanges(let revision):
            hash.add(21, String(revision))
        }
        value = hash.value
    }
}

extension StableHash {
    /// The end of a text is a byte that UTF-8 never has, so that no two lists of texts run together.
    fileprivate mutating func add(_ kind: UInt8, _ text: String) {
        combine(kind)
        combine(text.utf8)
        combine(0xff)
    }

    fileprivate mutating func add(_ kind: UInt8, _ ids: [EntityID]) {
        for id in ids {
            add(kind, id.text)
        }
    }

    fileprivate mutating func add(_ kind: UInt8, _ reference: ConversationReference) {
        switch reference {
        case .id(let id): add(kind, id.text)
        case .session(let sessionID): add(kind | 0x80, sessionID.text)
        }
    }

    fileprivate mutating func add(_ kind: UInt8, _ message: NewMessage) {
        add(kind, message.conversation)
        add(kind, message.id?.text ?? "")
    }
}
