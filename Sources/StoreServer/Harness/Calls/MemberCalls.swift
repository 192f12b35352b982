import StoreBasics
import StoreEngine
import StoreProtocol

enum MemberCalls {
    static let setConversationMembers = CallRule(
        .write(.conversations), .write, bytesMax: CallLimits.memberListBytesMax,
        entriesMax: EngineLimits.requestEntitiesMax
    ) { (request: WireSetConversationMembersRequest, _) throws(StoreError) in
        .mutation(
            .setMembers(
                try ConversationReference(request.conversation.reference),
                try request.members.map { (one) throws(StoreError) in try ConversationMember(wire: one) }))
    }

    static let removeConversationMembers = CallRule(
        .write(.conversations), .write, bytesMax: CallLimits.sessionIDListBytesMax,
        entriesMax: EngineLimits.requestEntitiesMax
    ) { (request: WireRemoveConversationMembersRequest, _) throws(StoreError) in
        .mutation(
            .removeMembers(
                try ConversationReference(request.conversation.reference), try SessionID.all(request.sessionIds)))
    }

    static let listConversationMembers = CallRule(.read(.conversations), .read) {
        (request: WireListConversationMembersRequest, _) throws(StoreError) in
        let reference = try ConversationReference(request.conversation.reference)
        let (limit, cursor) = (try request.limit.asLimit(), request.cursor.ifGiven)
        return .read(isLong: true) { (reader, _) throws(StoreError) in
            .result(
                .conversationMembers(
                    WireListConversationMembersResponse(
                        try reader.members(of: reference, limit: limit, cursor: cursor))))
        }
    }
}
