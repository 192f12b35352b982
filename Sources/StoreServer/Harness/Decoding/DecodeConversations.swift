internal import StoreEngine
internal import StoreProtocol

extension RequestDecoder {
    static func decodeConversations(
        _ kind: CallKind, _ call: UnsafeRawBufferPointer
    ) throws(RequestFailure) -> Command {
        switch kind {
        case .getOrCreateConversation:
            let request = try parse(WireGetOrCreateConversationRequest.self, call)
            return .mutation(
                .getOrCreateConversation(
                    try sessionID(request.sessionID), id: try optionalID(request.id),
                    displayName: request.hasDisplayName ? request.displayName : nil))
        case .getConversation:
            let request = try parse(WireGetConversationRequest.self, call)
            let reference = try conversation(request.conversation.reference)
            return request.includeAvatar
                ? .listRead(.conversationWithAvatar(reference)) : .pointRead(.conversation(reference))
        case .listConversations:
            return .listRead(.conversations(try conversationQuery(try parse(WireListConversationsRequest.self, call))))
        case .updateConversation:
            let request = try parse(WireUpdateConversationRequest.self, call)
            let update = ConversationUpdate(
                displayName: request.hasDisplayName ? request.displayName : nil,
                avatar: request.hasAvatar ? [UInt8](request.avatar) : nil,
                isPinned: request.hasIsPinned ? request.isPinned : nil,
                isMuted: request.hasIsMuted ? request.isMuted : nil)
            return .mutation(.updateConversation(try conversation(request.conversation.reference), update))
        case .markConversationRead:
            let request = try parse(WireMarkConversationReadRequest.self, call)
            return .mutation(.markConversationRead(try conversation(request.conversation.reference)))
        case .deleteConversation:
            let request = try parse(WireDeleteConversationRequest.self, call)
            return .mutation(.deleteConversation(try conversation(request.conversation.reference)))
        default:
            preconditionFailure("\(kind) is not a call on conversations")
        }
    }

    /// One of two names, exactly.
    static func conversation(
        _ reference: WireConversationReference.OneOf_Reference?
    ) throws(RequestFailure) -> ConversationReference {
        switch reference {
        case .id(let text): .id(try entityID(text))
        case .sessionID(let text): .session(try sessionID(text))
        case nil: throw .invalidArgument("the conversation is missing; give its id or its session id")
        }
    }

    private static func conversationQuery(
        _ wire: WireListConversationsRequest
    ) throws(RequestFailure) -> ConversationQuery {
        ConversationQuery(
            limit: try limit(wire.limit), cursor: wire.cursor.isEmpty ? nil : wire.cursor,
            isPinned: wire.hasIsPinned ? wire.isPinned : nil, isMuted: wire.hasIsMuted ? wire.isMuted : nil,
            hasUnread: wire.hasHasUnread_p ? wire.hasUnread_p : nil, includeAvatars: wire.includeAvatars)
    }
}
