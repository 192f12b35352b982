import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum ConversationCalls {
    static let getOrCreateConversation = CallRule(.write(.conversations), .write) {
        (request: WireGetOrCreateConversationRequest, _) throws(RequestFailure) in
        .mutation(
            .getOrCreateConversation(
                try SessionID(wire: request.sessionID), id: try EntityID.given(request.id),
                displayName: request.hasDisplayName ? request.displayName : nil))
    }

    /// What a conversation that was found or made is answered with.
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
        (request: WireGetConversationRequest, _) throws(RequestFailure) in
        let reference = try ConversationReference(request.conversation.reference)
        let includeAvatar = request.includeAvatar
        return .read(
            Read(isLong: includeAvatar) { (reader, scope) throws(StoreError) in
                let conversation = try reader.conversation(reference, includeAvatar: includeAvatar)
                return conversation.map { .result(.conversation(WireConversation($0, for: scope))) }
                    ?? .failure(.conversationNotFound, "there is no such conversation")
            })
    }

    static let listConversations = CallRule(.read(.conversations), .read) {
        (request: WireListConversationsRequest, _) throws(RequestFailure) in
        let query = ConversationQuery(
            limit: try request.limit.asLimit(), cursor: request.cursor.ifGiven,
            isPinned: request.hasIsPinned ? request.isPinned : nil,
            isMuted: request.hasIsMuted ? request.isMuted : nil,
            hasUnread: request.hasHasUnread_p ? request.hasUnread_p : nil, includeAvatars: request.includeAvatars)
        return list(query)
    }

    static func list(_ query: ConversationQuery) -> Command {
        .read(
            Read(isLong: true) { (reader, scope) throws(StoreError) in
                let page = try reader.conversations(query)
                return .result(
                    .conversations(
                        .with {
                            $0.conversations = page.conversations.map { WireConversation($0, for: scope) }
                            $0.nextCursor = page.nextCursor ?? ""
                        }))
            })
    }

    static let updateConversation = CallRule(.write(.conversations), .write, bytesMax: CallLimits.entityBytesMax) {
        (request: WireUpdateConversationRequest, _) throws(RequestFailure) in
        let update = ConversationUpdate(
            displayName: request.hasDisplayName ? request.displayName : nil,
            avatar: request.hasAvatar ? [UInt8](request.avatar) : nil,
            isPinned: request.hasIsPinned ? request.isPinned : nil,
            isMuted: request.hasIsMuted ? request.isMuted : nil, retention: try RetentionUpdate(request))
        let reference = try ConversationReference(request.conversation.reference)
        guard request.dryRun else { return .mutation(.updateConversation(reference, update)) }
        return .read(
            Read(isLong: true) { (reader, _) throws(StoreError) in .commit(try reader.preview(reference, update)) })
    }

    static let markConversationRead = CallRule(.write(.conversations), .write) {
        (request: WireMarkConversationReadRequest, _) throws(RequestFailure) in
        .mutation(.markConversationRead(try ConversationReference(request.conversation.reference)))
    }

    static let deleteConversation = CallRule(.write(.conversations), .write) {
        (request: WireDeleteConversationRequest, _) throws(RequestFailure) in
        .mutation(.deleteConversation(try ConversationReference(request.conversation.reference)))
    }
}

extension WireConversation {
    /// A caller who may not read conversations gets what names this one; who may not read messages, no message.
    init(_ conversation: Conversation, for scope: AnswerScope) {
        self.init()
        id = conversation.id.text
        sessionID = conversation.sessionID.text
        guard scope.contains(.conversations) else { return }
        if let displayName = conversation.displayName {
            self.displayName = displayName
        }
        if let avatar = conversation.avatar {
            self.avatar = Data(avatar)
        }
        hasAvatar_p = conversation.hasAvatar
        isPinned = conversation.isPinned
        isMuted = conversation.isMuted
        messageCount = UInt64(clamping: conversation.messageCount)
        unreadCount = UInt64(clamping: conversation.unreadCount)
        if scope.contains(.messages), let last = conversation.lastMessage {
            lastMessage = WireLastMessage(last)
        }
        createdAtMicroseconds = conversation.createdAt.microseconds
        updatedAtMicroseconds = conversation.updatedAt.microseconds
        lastActivityAtMicroseconds = conversation.lastActivityAt.microseconds
        if let retention = WireConversationRetention(conversation.retention) {
            self.retention = retention
        }
    }
}

extension WireLastMessage {
    fileprivate init(_ message: LastMessage) {
        self.init()
        id = message.id.text
        text = message.text
        timestampMicroseconds = message.timestamp.microseconds
        isOutgoing = message.isOutgoing
        status = WireMessageStatus(message.status)
    }
}
