package import StoreBasics

/// A draft with all that the store holds of it, as archives and replication have it.
package struct WholeDraft: Hashable, Sendable {
    /// Of its conversation.
    package var sessionID: SessionID
    package var content: DraftContent
    package var attachments: [NewAttachment]
    package var updatedAt: Timestamp

    package init(
        sessionID: SessionID, content: DraftContent, attachments: [NewAttachment] = [], updatedAt: Timestamp
    ) {
        self.sessionID = sessionID
        self.content = content
        self.attachments = attachments
        self.updatedAt = updatedAt
    }
}
