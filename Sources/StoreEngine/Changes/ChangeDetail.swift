import ReplicaModel
import StoreBasics
import StoreCrypto

/// Says what part of a thing a change was about, so that each part gets the time of its own last change in a replica
/// group, also where several changes are collected together. Its number is kept at rest.
///
/// Contacts and conversations: a bit for each field that was changed. Reactions: 64 bits of a digest of author and
/// emoji. Messages: 1 where what the message says was changed. Others have none.
struct ChangeDetail: Hashable, Sendable {
    let number: UInt64

    static let none = ChangeDetail(number: 0)
    /// What a message says was changed, and not only how far it has come.
    static let messageContent = ChangeDetail(number: 1)

    init(number: UInt64) {
        self.number = number
    }

    init(_ fields: FieldSet) {
        number = fields.rawValue
    }

    init(reactionOf author: String, emoji: String) {
        var bytes: [UInt8] = []
        bytes.append(text: author)
        bytes.append(text: emoji)
        number = max(1, ValueDigest(of: bytes).high)
    }

    init(_ reaction: ReactionReference) {
        self.init(reactionOf: reaction.authorSessionID.text, emoji: reaction.emoji.text)
    }

    /// The fields of a contact or conversation.
    var fields: FieldSet { FieldSet(rawValue: number) }
}

/// Fields of a thing that has several.
struct FieldSet: OptionSet, Hashable, Sendable {
    let rawValue: UInt64

    static let all = FieldSet(rawValue: .max)

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    init(_ fields: [FieldNumber]) {
        rawValue = fields.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
    }

    func contains(_ field: FieldNumber) -> Bool { rawValue & 1 << UInt64(field.rawValue) != 0 }
}

extension ContactUpdate {
    /// Those that it sets.
    var fields: FieldSet {
        var fields: [FieldNumber] = []
        if displayName != nil { fields.append(.displayName) }
        if notes != nil { fields.append(.notes) }
        if isBlocked != nil { fields.append(.isBlocked) }
        if isTrusted != nil { fields.append(.isTrusted) }
        if avatar != nil { fields.append(.avatar) }
        return FieldSet(fields)
    }
}

extension ConversationUpdate {
    /// Those that it sets.
    var fields: FieldSet {
        var fields: [FieldNumber] = []
        if displayName != nil { fields.append(.displayName) }
        if isPinned != nil { fields.append(.isPinned) }
        if isMuted != nil { fields.append(.isMuted) }
        if avatar != nil { fields.append(.avatar) }
        if retention != nil { fields.append(.retention) }
        return FieldSet(fields)
    }
}
