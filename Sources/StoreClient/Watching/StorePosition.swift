/// A position in the changes of a store: a revision, and the history that the revision belongs to.
///
/// Store it to continue there later, even in another process:
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

    /// The revision. Everything up to it was seen.
    public var revision: UInt64
    /// The history that the revision belongs to, so that a store with another history is detected. `nil` accepts any
    /// history.
    public var historyID: HistoryID?

    /// Creates a position from its parts.
    public init(revision: UInt64, historyID: HistoryID? = nil) {
        self.revision = revision
        self.historyID = historyID
    }
}

extension Status {
    /// The current position of the store. A watch after it receives everything that is committed from now on. While no
    /// store is open, it is the beginning.
    public var position: StorePosition {
        StorePosition(revision: revision, historyID: historyID)
    }
}

extension ChangeStream {
    /// The position up to which all matching changes were returned. A later watch can continue after it.
    public var position: StorePosition {
        StorePosition(revision: revision, historyID: historyID)
    }
}

extension MessageStream {
    /// The position up to which all messages were returned. A later stream can continue after it.
    public var position: StorePosition {
        StorePosition(revision: revision, historyID: historyID)
    }
}

extension StoreClient {
    /// Follows the store's changes after a position. See `watch(after:of:_:)`; this method takes revision and history
    /// together.
    ///
    /// - Parameters:
    ///   - position: `ChangeStream.position` of an earlier watch, or `Status.position`.
    ///   - filter: The changes to receive; all by default.
    /// - Throws: The errors of `watch(after:of:_:)`. After `.changesCompacted` and `.historyChanged`, get
    ///   `Status.position`, then read the data again, then watch after that position.
    public func watch(
        after position: StorePosition, _ filter: WatchFilter = WatchFilter()
    ) async throws(StoreClientError) -> ChangeStream {
        try await watch(after: position.revision, of: position.historyID, filter)
    }

    /// Follows the messages that are added after a position, with their texts.
    ///
    /// - Parameters:
    ///   - conversation: The conversation to follow; `nil` follows all.
    ///   - position: `MessageStream.position` of an earlier stream, or `Status.position`.
    /// - Throws: `.conversationNotFound`, and the errors of `watch`.
    public func newMessages(
        in conversation: ConversationReference? = nil, after position: StorePosition
    ) async throws(StoreClientError) -> MessageStream {
        try await newMessages(in: conversation, after: position.revision, of: position.historyID)
    }
}
