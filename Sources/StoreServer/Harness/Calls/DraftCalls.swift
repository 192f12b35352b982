import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum DraftCalls {
    static let saveDraft = CallRule(
        .write(.messages), .write, bytesMax: CallLimits.messageBytesMax + CallLimits.attachmentBytesMax,
        entriesMax: EngineLimits.attachmentsMax
    ) {
        (request: WireSaveDraftRequest, _) throws(RequestFailure) in
        let content = DraftContent(
            text: request.text, attachmentURL: request.hasAttachmentURL ? request.attachmentURL : nil,
            attachmentType: request.hasAttachmentType ? request.attachmentType : nil,
            replyToMessageID: try EntityID.given(request.replyToMessageID))
        return .mutation(
            .saveDraft(
                NewDraft(
                    conversation: try ConversationReference(request.conversation.reference), content: content,
                    attachments: try NewAttachment.all(request.attachments))))
    }

    static let getDraft = CallRule(.read(.messages), .read) {
        (request: WireGetDraftRequest, _) throws(RequestFailure) in
        let reference = try ConversationReference(request.conversation.reference)
        return .read(
            Read(isLong: false) { (reader, _) throws(StoreError) in
                var response = WireGetDraftResponse()
                if let draft = try reader.draft(in: reference) {
                    response.draft = WireDraft(draft)
                }
                return .result(.draft(response))
            })
    }

    static let listDrafts = CallRule(.read(.messages), .read) {
        (request: WireListDraftsRequest, _) throws(RequestFailure) in
        let (limit, cursor) = (try request.limit.asLimit(), request.cursor.ifGiven)
        return .read(
            Read(isLong: true) { (reader, _) throws(StoreError) in
                let page = try reader.drafts(limit: limit, cursor: cursor)
                return .result(
                    .drafts(
                        .with {
                            $0.drafts = page.drafts.map(WireDraft.init)
                            $0.nextCursor = page.nextCursor ?? ""
                        }))
            })
    }

    static let deleteDraft = CallRule(.write(.messages), .write) {
        (request: WireDeleteDraftRequest, _) throws(RequestFailure) in
        .mutation(.deleteDraft(try ConversationReference(request.conversation.reference)))
    }
}

extension WireDraft {
    fileprivate init(_ draft: Draft) {
        self.init()
        conversationID = draft.conversationID.text
        text = draft.content.text
        if let url = draft.content.attachmentURL {
            attachmentURL = url
        }
        if let type = draft.content.attachmentType {
            attachmentType = type
        }
        if let replied = draft.content.replyToMessageID {
            replyToMessageID = replied.text
        }
        updatedAtMicroseconds = draft.updatedAt.microseconds
        revision = draft.revision
        attachments = draft.attachments.map(WireAttachment.init)
    }
}
