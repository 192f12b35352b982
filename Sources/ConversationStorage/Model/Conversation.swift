public import StoreClient

/// A conversation as an application shows it.
public struct Conversation: Identifiable, Hashable, Sendable {
    public var id: String
    /// The other party's session id.
    public var sessionID: String
    /// The name given to it, else its session id.
    public var displayName: String
    /// Only there when it was asked for.
    public var avatarData: [UInt8]?
    public var lastMessageID: String?
    public var lastMessageText: String?
    public var lastMessageTimestamp: Timestamp?
    public var messageCount: Int
    public var unreadCount: Int
    public var isPinned: Bool
    public var isMuted: Bool
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    init(_ stored: StoredConversation) {
        id = stored.id
        sessionID = stored.sessionID
        displayName = stored.displayName ?? stored.sessionID
        avatarData = stored.avatar
        lastMessageID = stored.lastMessage?.id
        lastMessageText = stored.lastMessage?.text
        lastMessageTimestamp = stored.lastMessage?.timestamp
        messageCount = Int(clamping: stored.messageCount)
        unreadCount = Int(clamping: stored.unreadCount)
        isPinned = stored.isPinned
        isMuted = stored.isMuted
        createdAt = stored.createdAt
        updatedAt = stored.updatedAt
    }
}
