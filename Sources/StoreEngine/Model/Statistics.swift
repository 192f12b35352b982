/// Exact counts, kept with every commit.
package struct Statistics: Hashable, Sendable {
    package var conversationCount: Int = 0
    package var messageCount: Int = 0
    package var contactCount: Int = 0
    package var unreadCount: Int = 0
    /// The revision of the last committed change; 0 for a new store.
    package var revision: UInt64 = 0
    /// Changes with a greater revision are still kept.
    package var compactedThroughRevision: UInt64 = 0

    package init() {}
}
