import StoreProtocol

extension Draft {
    init(_ wire: WireDraft) {
        self.init(
            conversationID: wire.conversationID, text: wire.text,
            attachmentURL: wire.hasAttachmentURL ? wire.attachmentURL : nil,
            attachmentType: wire.hasAttachmentType ? wire.attachmentType : nil,
            replyToMessageID: wire.hasReplyToMessageID ? wire.replyToMessageID : nil,
            updatedAt: Timestamp(microseconds: wire.updatedAtMicroseconds), revision: wire.revision,
            attachments: wire.attachments.map(Attachment.init))
    }
}

extension DraftPage {
    init(_ wire: WireListDraftsResponse) {
        self.init(drafts: wire.drafts.map(Draft.init), nextCursor: wire.nextCursor.isEmpty ? nil : wire.nextCursor)
    }
}
