package import StoreBasics

/// A draft with everything that the store has of it, for archives and replication.
package struct WholeDraft: Hashable, Sendable {
    /// The session id of the conversation to which the draft belongs.
    package var sessionID: SessionID
    package var content = DraftContent()
    package var attachments: [NewAttachment] = []
    package var updatedAt = Timestamp(microseconds: 0)
}

/// An `ArchivedDraft` of archives.proto. In a replicated batch it lacks the session id, because the record's name
/// contains it.
extension WholeDraft: FieldMessage {
    package init() {
        self.init(sessionID: SessionID(trusted: ""))
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        if !form.isBody { try form.field(1, &sessionID) }
        try form.field(2, &content.text)
        try form.field(3, &content.attachmentURL)
        try form.field(4, &content.attachmentType)
        try form.field(5, &content.replyToMessageID)
        try form.field(6, &updatedAt)
        try form.field(7, &attachments)
        if form.isChecking, !form.isBody {
            // An empty attachment field of an archive counts as none.
            content = DraftContent(
                text: content.text, attachmentURL: content.attachmentURL, attachmentType: content.attachmentType,
                replyToMessageID: content.replyToMessageID)
        }
    }
}
