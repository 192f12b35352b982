/// New messages with their texts, in the order in which they were added to the store; see `StoreClient.newMessages`. A
/// lost connection, however long, does not end the stream. It ends only by throwing an error; `ChangeStream` lists the
/// reasons. Only one task at a time may iterate.
///
/// The stream reads each message just before it returns the message. So an edited message has its current text, and a
/// deleted message is omitted. After an error, start a new stream at ``revision``: no message is lost or comes twice.
public struct MessageStream: AsyncSequence, ResumableStream, Sendable {
    /// A message that was added to the store.
    public typealias Element = Message
    /// The stream ends only with an error; ``ChangeStream`` has the reasons.
    public typealias Failure = StoreClientError

    let changes: FetchedChanges

    /// The revision up to which the messages of all changes were returned. A later stream can continue after it.
    public var revision: UInt64 {
        changes.revision
    }

    /// The history of `revision`. Store both together.
    public var historyID: HistoryID? {
        changes.historyID
    }

    /// Returns an iterator. All iterators share one position.
    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: changes)
    }

    /// The state of the iteration. Only one task at a time may use it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let changes: FetchedChanges

        /// Returns the next message, and waits until there is one.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreClientError) -> Message? {
            try await changes.next { (client, change) throws(StoreClientError) in
                change.operation == .created ? try await client.messageIfPresent(change.id) : nil
            }
        }
    }
}

extension StoreClient {
    /// Follows the messages that are added, with their texts. Returns when the daemon has confirmed the start. The
    /// stream contains every message that is added after the confirmation.
    ///
    /// ```swift
    /// for try await message in try await store.newMessages(in: .sessionID("05alice")) {
    ///     print(message.text)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - conversation: The conversation to follow; `nil` follows all.
    ///   - revision: The stream first contains the messages that were added after this revision
    ///     (`MessageStream.revision`); `nil` begins with the messages that are added from now on.
    ///   - history: The history of `revision`, from `MessageStream.historyID`.
    /// - Throws: `.conversationNotFound`, and the errors of `watch`.
    public func newMessages(
        in conversation: ConversationReference? = nil, after revision: UInt64? = nil, of history: HistoryID? = nil
    ) async throws(StoreClientError) -> MessageStream {
        let filter = WatchFilter(kinds: [.message], conversation: conversation)
        return MessageStream(changes: FetchedChanges(self, try await watch(after: revision, of: history, filter)))
    }
}
