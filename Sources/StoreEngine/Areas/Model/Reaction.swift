package import StoreBasics

/// An emoji for a reaction: exactly one grapheme cluster of 1 to 64 bytes of UTF-8 without NUL, stored as sent.
package struct Emoji: Hashable, Sendable {
    package static let bytesMax = EmojiNameKind.bytesMax

    private let name: Name<EmojiNameKind>
    package var text: String { name.text }

    /// - Throws: `.invalidArgument`.
    package init(_ text: String) throws(StoreError) {
        name = try Name(text)
        guard text.count == 1 else {
            throw .invalidArgument("the emoji has \(text.count) characters; it must have exactly one")
        }
    }

    /// Creates an emoji from a text that was read from the store.
    init(trusted text: String) {
        name = Name(trusted: text)
    }
}

package enum EmojiNameKind: NameKind {
    package static let title = "emoji"
    package static let bytesMax = 64
}

/// The identity of a reaction: a message, an author and an emoji.
package struct ReactionReference: Hashable, Sendable {
    package var messageID: EntityID
    package var authorSessionID: SessionID
    package var emoji: Emoji

    package init(messageID: EntityID, authorSessionID: SessionID, emoji: Emoji) {
        self.messageID = messageID
        self.authorSessionID = authorSessionID
        self.emoji = emoji
    }
}

/// A reaction as readers get it.
package struct Reaction: Hashable, Sendable {
    package var emoji: Emoji
    package var authorSessionID: SessionID
    package var createdAt: Timestamp
    /// The revision of the change that added the reaction.
    package var revision: UInt64
}

package struct ReactionPage: Sendable {
    /// The reactions in the order of their times, then authors, then emoji.
    package var reactions: [Reaction]
    /// The cursor of the next page; `nil` on the last page.
    package var nextCursor: String?
}

extension ChangeDetail {
    init(_ reaction: ReactionReference) {
        self.init(reactionOf: reaction.authorSessionID.text, emoji: reaction.emoji.text)
    }
}
