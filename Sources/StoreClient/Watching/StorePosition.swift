/// A position in the changes of a store: a revision, and the history that the revision belongs to.
///
/// Keep it to continue there later, also in another process:
///
/// ```swift
/// let messages = try await store.newMessages(after: position)
/// for try await message in messages {
///     print(message.text)
///     position = messages.position
/// }
/// ```
public struct StorePosition: Hashable, Sendable, Codable {
    /// The position before the first change of any store.
    public static let beginning = StorePosition(revision: 0)

    /// Everything up to and including this revision was seen.
    public var revision: UInt64
    /// The history that the revision belongs to. A store with another history is recognized. `nil`: any history.
    public var historyID: HistoryID?

    /// Creates a position from its parts.
    public init(revision: UInt64, historyID: HistoryID? = nil) {
        self.revision = revision
        self.historyID = historyID
    }
}

extension Status {
    /// The position of the store now: a watch after it gets what is committed from now on. While no store is open, it
    /// is the beginning.
    public var position: StorePosition {
        StorePosition(revision: revision, historyID: historyID)
    }
}

extension ChangeStream {
    /// The position up to which all matching changes were taken: where a later watch continues.
    public var position: StorePosition {
        StorePosition(revision: revision, historyID: historyID)
    }
}

extension MessageStream {
    /// The position up to which all messages were taken: where a later stream continues.
    public var position: StorePosition {
        StorePosition(revision: revision, historyID: historyID)
    }
}

extension StoreClient {
    /// Follows the store's changes after a position. `watch(after:of:_:)` describes it; this takes revision and history
    /// together.
    ///
    /// - Parameters:
    ///   - position: `ChangeStream.position` of an earlier watch, or `Status.position`.
    ///   - filter: which changes; all by default.
    /// - Throws: the errors of `watch(after:of:_:)`. After `.changesCompacted` and `.historyChanged`, read the data
    ///   again, and watch after the present position of the store.
    public func watch(
        after position: StorePosition, _ filter: WatchFilter = WatchFilter()
    ) async throws(StoreClientError) -> ChangeStream {
        try await watch(after: position.revision, of: position.historyID, filter)
    }

    /// Follows the messages that are added after a position, with their text.
    ///
    /// - Parameters:
    ///   - conversation: whose messages; `nil`: those of all conversations.
    ///   - position: `MessageStream.position` of an earlier stream, or `Status.position`.
    /// - Throws: `.conversationNotFound`, and what `watch` throws.
    public func newMessages(
        in conversation: ConversationReference? = nil, after position: StorePosition
    ) async throws(StoreClientError) -> MessageStream {
        try await newMessages(in: conversation, after: position.revision, of: position.historyID)
    }
}
