public import StoreClient

/// A contact as an application shows it.
public struct Contact: Identifiable, Hashable, Sendable {
    public var id: String
    public var sessionID: String
    /// The name given to it, else its session id.
    public var displayName: String
    /// Only there when it was asked for.
    public var avatarData: [UInt8]?
    public var notes: String?
    public var isBlocked: Bool
    public var isTrusted: Bool
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    init(_ stored: StoredContact) {
        id = stored.id
        sessionID = stored.sessionID
        displayName = stored.displayName ?? stored.sessionID
        avatarData = stored.avatar
        notes = stored.notes
        isBlocked = stored.isBlocked
        isTrusted = stored.isTrusted
        createdAt = stored.createdAt
        updatedAt = stored.updatedAt
    }
}

/// Counts of everything in the store.
public struct StorageStatistics: Hashable, Sendable {
    public var conversationCount: Int
    public var messageCount: Int
    public var contactCount: Int
    public var unreadCount: Int

    init(_ stored: Statistics) {
        conversationCount = Int(clamping: stored.conversationCount)
        messageCount = Int(clamping: stored.messageCount)
        contactCount = Int(clamping: stored.contactCount)
        unreadCount = Int(clamping: stored.unreadCount)
    }
}
