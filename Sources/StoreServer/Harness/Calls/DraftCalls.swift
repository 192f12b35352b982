import StoreBasics
import StoreEngine
import StoreProtocol

enum DraftCalls {
    static let saveDraft = CallRule(
        .write(.messages), .write, bytesMax: CallLimits.messageBytesMax + CallLimits.attachmentBytesMax,
        entriesMax: EngineLimits.attachmentsMax
    ) {
        (request: WireSaveDraftRequest, _) throws(StoreError) in
        .mutation(.saveDraft(try NewDraft(wire: request)))
    }

    static let getDraft = CallRule(.read(.messages), .read) {
        (request: WireGetDraftRequest, _) throws(StoreError) in
        let reference = try ConversationReference(request.conversation.reference)
        return .read(isLong: false) { (reader, _) throws(StoreError) in
            var response = WireGetDraftResponse()
            if let draft = try reader.draft(in: reference) {
                response.draft = WireDraft(draft)
            }
            return .result(.draft(response))
        }
    }

    static let listDrafts = CallRule(.read(.messages), .read) {
        (request: WireListDraftsRequest, _) throws(StoreError) in
        let (limit, cursor) = (try request.limit.asLimit(), request.cursor.ifGiven)
        return .read(isLong: true) { (reader, _) throws(StoreError) in
            .result(.drafts(WireListDraftsResponse(try reader.drafts(limit: limit, cursor: cursor))))
        }
    }

    static let deleteDraft = CallRule(.write(.messages), .write) {
        (request: WireDeleteDraftRequest, _) throws(StoreError) in
        .mutation(.deleteDraft(try ConversationReference(request.conversation.reference)))
    }
}
