/// Exact counts, kept with every commit.
public struct Statistics: Hashable, Sendable {
    public var conversationCount: Int = 0
    public var messageCount: Int = 0
    public var contactCount: Int = 0
    public var unreadCount: Int = 0
    /// The revision of the last committed change; 0 for a new store.
    public var revision: UInt64 = 0
    /// Changes with a greater revision are still kept.
    public var compactedThroughRevision: UInt64 = 0

    public init() {}
}
