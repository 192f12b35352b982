package import StoreBasics

/// What someone reacts with: exactly one grapheme cluster of 1 to 64 bytes of UTF-8 without NUL, kept as it was sent.
package struct Emoji: Hashable, Sendable {
    package static let bytesMax = EmojiNameKind.bytesMax

    private let name: Name<EmojiNameKind>
    package var text: String { name.text }

    /// - Throws: `StoreError` with reason `.invalidArgument`.
    package init(_ text: String) throws(StoreError) {
        name = try Name(text)
        guard text.count == 1 else {
            throw .invalidArgument("the emoji has \(text.count) characters; it must have exactly one")
        }
    }

    /// One that was read back from the store.
    init(trusted text: String) {
        name = Name(trusted: text)
    }
}

package enum EmojiNameKind: NameKind {
    package static let title = "emoji"
    package static let bytesMax = 64
}

/// A reaction as it is added and removed: someone's, with an emoji, to a message.
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

/// A reaction as a reader gets it.
package struct Reaction: Hashable, Sendable {
    package var emoji: Emoji
    package var authorSessionID: SessionID
    package var createdAt: Timestamp
    /// Of the change that added it.
    package var revision: UInt64
}

package struct ReactionPage: Sendable {
    /// The reactions by when they were added, those of one time by author and emoji.
    package var reactions: [Reaction]
    /// `nil` on the last page.
    package var nextCursor: String?
}

extension ChangeDetail {
    init(_ reaction: ReactionReference) {
        self.init(reactionOf: reaction.authorSessionID.text, emoji: reaction.emoji.text)
    }
}
