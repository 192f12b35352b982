import ReplicaModel
import StoreBasics
import StoreCrypto

/// The part of an object that a change is about. With it, a replica group knows the time of the last change of each
/// part, even if several changes are collected together. The number is stored.
///
/// Contacts and conversations: a bit for each changed field. Reactions: 64 bits of a digest of author and emoji.
/// Messages: 1 if the content was changed. Other kinds have no details.
struct ChangeDetail: Hashable, Sendable {
    let number: UInt64

    static let none = ChangeDetail(number: 0)
    /// The content of a message was changed, not only its status.
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

    /// The changed fields of a contact or conversation.
    var fields: FieldSet { FieldSet(rawValue: number) }
}

/// A set of fields of a contact or conversation.
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
