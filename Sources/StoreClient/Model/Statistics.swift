/// Counts of the store: exact, and answered in constant time.
public struct Statistics: Hashable, Sendable, Codable {
    /// Conversations, with or without messages.
    public var conversationCount: Int
    /// Messages of all conversations.
    public var messageCount: Int
    /// 0 for a caller without the right to read contacts.
    public var contactCount: Int
    /// Incoming messages that are not marked read.
    public var unreadCount: Int
    /// Of the last change.
    public var revision: UInt64
    /// Changes with a greater revision are still kept.
    public var compactedThroughRevision: UInt64
    /// Bytes of the database file.
    public var databaseBytes: UInt64

    /// For tests and previews: the calls of a client make their own.
    public init(
        conversationCount: Int = 0, messageCount: Int = 0, contactCount: Int = 0, unreadCount: Int = 0,
        revision: UInt64 = 0, compactedThroughRevision: UInt64 = 0, databaseBytes: UInt64 = 0
    ) {
        self.conversationCount = conversationCount
        self.messageCount = messageCount
        self.contactCount = contactCount
        self.unreadCount = unreadCount
        self.revision = revision
        self.compactedThroughRevision = compactedThroughRevision
        self.databaseBytes = databaseBytes
    }
}

/// What reading every page and row of the store found.
public struct CheckReport: Hashable, Sendable, Codable {
    /// Whether nothing is wrong.
    public var isClean: Bool
    /// What is wrong, at most 100 lines, without content.
    public var findings: [String]
    /// Pages of the database that were read.
    public var pagesChecked: Int
    /// Rows of all tables that were read.
    public var rowsChecked: Int

    /// For tests and previews: the calls of a client make their own.
    public init(isClean: Bool = true, findings: [String] = [], pagesChecked: Int = 0, rowsChecked: Int = 0) {
        self.isClean = isClean
        self.findings = findings
        self.pagesChecked = pagesChecked
        self.rowsChecked = rowsChecked
    }
}

/// How far long work has come, in steps of its own.
public struct WorkProgress: Hashable, Sendable, Codable {
    /// Steps that are done.
    public var done: Int
    /// All steps; `nil` while not known.
    public var total: Int?

    /// For tests and previews: the calls of a client make their own.
    public init(done: Int, total: Int? = nil) {
        self.done = done
        self.total = total
    }
}
