import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum ConversationCalls {
    static let getOrCreateConversation = CallRule(.write(.conversations), .write) {
        (request: WireGetOrCreateConversationRequest, _) throws(StoreError) in
        .mutation(
            .getOrCreateConversation(
                try SessionID(wire: request.sessionID), id: try EntityID.given(request.id),
                displayName: request.hasDisplayName ? request.displayName : nil))
    }

    /// Returns the answer about a conversation that was found or created, without the fields that the caller may not
    /// read.
    static func found(_ conversation: Conversation, isNew: Bool, isReplayed: Bool, for scope: AnswerScope) -> Answer {
        .result(
            .getOrCreateConversation(
                .with {
                    $0.conversation = WireConversation(conversation, for: scope)
                    $0.isNew = isNew
                    $0.isReplayed = isReplayed
                }))
    }

    static let getConversation = CallRule(.read(.conversations), .read) {
        (request: WireGetConversationRequest, _) throws(StoreError) in
        let reference = try ConversationReference(request.conversation.reference)
        let includeAvatar = request.includeAvatar
        return .read(isLong: includeAvatar) { (reader, scope) throws(StoreError) in
            let conversation = try reader.conversation(reference, includeAvatar: includeAvatar)
            return conversation.map { .result(.conversation(WireConversation($0, for: scope))) }
                ?? .failure(.conversationNotFound, "there is no such conversation")
        }
    }

    static let listConversations = CallRule(.read(.conversations), .read) {
        (request: WireListConversationsRequest, _) throws(StoreError) in
        list(try ConversationQuery(wire: request))
    }

    static func list(_ query: ConversationQuery) -> Command {
        .read(isLong: true) { (reader, scope) throws(StoreError) in
            let page = try reader.conversations(query)
            return .result(
                .conversations(
                    .with {
                        $0.conversations = page.conversations.map { WireConversation($0, for: scope) }
                        $0.nextCursor = page.nextCursor ?? ""
                    }))
        }
    }

    static let updateConversation = CallRule(.write(.conversations), .write, bytesMax: CallLimits.entityBytesMax) {
        (request: WireUpdateConversationRequest, _) throws(StoreError) in
        let update = ConversationUpdate(
            displayName: request.hasDisplayName ? request.displayName : nil,
            avatar: request.hasAvatar ? [UInt8](request.avatar) : nil,
            isPinned: request.hasIsPinned ? request.isPinned : nil,
            isMuted: request.hasIsMuted ? request.isMuted : nil, retention: try RetentionUpdate(request),
            kind: request.hasKind ? request.kind : nil,
            metadata: request.hasMetadata ? try Metadata(wire: request.metadata) : nil)
        let reference = try ConversationReference(request.conversation.reference)
        guard request.dryRun else { return .mutation(.updateConversation(reference, update)) }
        return .read(isLong: true) { (reader, _) throws(StoreError) in .commit(try reader.preview(reference, update)) }
    }

    static let markConversationRead = CallRule(.write(.conversations), .write) {
        (request: WireMarkConversationReadRequest, _) throws(StoreError) in
        .mutation(.markConversationRead(try ConversationReference(request.conversation.reference)))
    }

    static let deleteConversation = CallRule(.write(.conversations), .write) {
        (request: WireDeleteConversationRequest, _) throws(StoreError) in
        .mutation(.deleteConversation(try ConversationReference(request.conversation.reference)))
    }
}

extension WireConversation {
    /// Creates the conversation for the caller. Without the right to read conversations, the caller receives only the
    /// identifiers. Without the right to read messages, it receives no message.
    init(_ conversation: Conversation, for scope: AnswerScope) {
        guard scope.contains(.conversations) else {
            self.init()
            (id, sessionID) = (conversation.id.text, conversation.sessionID.text)
            return
        }
        self.init(conversation)
        if !scope.contains(.messages) {
            clearLastMessage()
        }
    }
}
