package import StoreBasics

/// The unsent text of a conversation.
package struct DraftContent: Hashable, Sendable {
    package var text: String
    package var attachmentURL: String?
    package var attachmentType: String?
    package var replyToMessageID: EntityID?

    /// Creates a content. Empty attachment fields are stored as `nil`.
    package init(
        text: String = "", attachmentURL: String? = nil, attachmentType: String? = nil,
        replyToMessageID: EntityID? = nil
    ) {
        self.text = text
        self.attachmentURL = attachmentURL?.nilIfEmpty
        self.attachmentType = attachmentType?.nilIfEmpty
        self.replyToMessageID = replyToMessageID
    }

    /// True if no field has a value. Saving such a content deletes the draft.
    var isEmpty: Bool {
        text.isEmpty && attachmentURL == nil && attachmentType == nil && replyToMessageID == nil
    }

    /// Compares bytes. Swift's own comparison of strings uses canonical equivalence.
    package static func == (left: DraftContent, right: DraftContent) -> Bool {
        let texts = [left.text, left.attachmentURL ?? "", left.attachmentType ?? ""]
        let others = [right.text, right.attachmentURL ?? "", right.attachmentType ?? ""]
        return texts.haveSameBytes(as: others) && left.replyToMessageID == right.replyToMessageID
    }
}

/// A draft to save. It replaces the draft of the conversation; an empty one deletes it.
package struct NewDraft: Hashable, Sendable {
    /// The conversation. An unknown session id creates it, unless the draft is empty.
    package var conversation: ConversationReference
    package var content: DraftContent
    package var attachments: [NewAttachment]

    package init(conversation: ConversationReference, content: DraftContent, attachments: [NewAttachment] = []) {
        self.conversation = conversation
        self.content = content
        self.attachments = attachments
    }

    var isEmpty: Bool { content.isEmpty && attachments.isEmpty }
}

/// A draft as readers get it.
package struct Draft: Hashable, Sendable {
    package var conversationID: EntityID
    package var content: DraftContent
    package var attachments: [Attachment]
    package var updatedAt: Timestamp
    /// The store's revision at the last change of the draft.
    package var revision: UInt64
}

package struct DraftPage: Sendable {
    /// The drafts, the most recently saved first.
    package var drafts: [Draft]
    /// The cursor of the next page; `nil` on the last page.
    package var nextCursor: String?
}
