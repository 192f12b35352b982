package import StoreBasics

/// What is written in a conversation and not sent.
package struct DraftContent: Hashable, Sendable {
    package var text: String
    package var attachmentURL: String?
    package var attachmentType: String?
    package var replyToMessageID: EntityID?

    /// An empty attachment field stands for none.
    package init(
        text: String = "", attachmentURL: String? = nil, attachmentType: String? = nil,
        replyToMessageID: EntityID? = nil
    ) {
        self.text = text
        self.attachmentURL = attachmentURL?.nilIfEmpty
        self.attachmentType = attachmentType?.nilIfEmpty
        self.replyToMessageID = replyToMessageID
    }

    /// It holds nothing: no draft.
    var isEmpty: Bool {
        text.isEmpty && attachmentURL == nil && attachmentType == nil && replyToMessageID == nil
    }

    /// Swift's comparison of strings is by canonical equivalence; what is stored is bytes.
    package static func == (left: DraftContent, right: DraftContent) -> Bool {
        let texts = [left.text, left.attachmentURL ?? "", left.attachmentType ?? ""]
        let others = [right.text, right.attachmentURL ?? "", right.attachmentType ?? ""]
        return texts.haveSameBytes(as: others) && left.replyToMessageID == right.replyToMessageID
    }
}

/// A draft to save: it replaces the one that the conversation has, and an empty one deletes it.
package struct NewDraft: Hashable, Sendable {
    /// A session id that is not known yet creates its conversation, unless the draft is empty.
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

/// A draft as a reader gets it.
package struct Draft: Hashable, Sendable {
    package var conversationID: EntityID
    package var content: DraftContent
    package var attachments: [Attachment]
    package var updatedAt: Timestamp
    /// Of the change that made it what it is.
    package var revision: UInt64
}

package struct DraftPage: Sendable {
    /// The one saved last first.
    package var drafts: [Draft]
    /// `nil` on the last page.
    package var nextCursor: String?
}
