/// Messages with their text as they are added to the store, in the order they were added: `StoreClient.newMessages`. A
/// lost connection does not end it, however long it lasts. It ends by throwing, as `ChangeStream` does.
///
/// A message that is edited comes as it is when it is read, and one that is deleted before that does not come. After an
/// error, ask again from ``revision`` on: nothing is left out, and nothing comes twice. One task at a time may iterate.
public struct MessageStream: AsyncSequence, ResumableStream, Sendable {
    /// One message.
    public typealias Element = Message
    /// What it ends with.
    public typealias Failure = StoreClientError

    let changes: FetchedChanges

    /// Messages of the changes up to and including this revision have been taken: where a later stream can go on.
    public var revision: UInt64 {
        changes.revision
    }

    /// The history that `revision` is of: keep it with that.
    public var historyID: HistoryID? {
        changes.historyID
    }

    /// The iteration: there is one, whose place all iterators share.
    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: changes)
    }

    /// Where an iteration stands. One task at a time may ask it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let changes: FetchedChanges

        /// The next message, waiting until there is one.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreClientError) -> Message? {
            try await changes.next { (client, change) throws(StoreClientError) in
                change.operation == .created ? try await client.messageIfPresent(change.id) : nil
            }
        }
    }
}

extension StoreClient {
    /// Follows the messages that are added, with their text. Returns when the daemon has confirmed where it stands:
    /// whatever is added from then on will be seen.
    ///
    /// ```swift
    /// for try await message in try await store.newMessages(in: .sessionID("05alice")) {
    ///     print(message.text)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - conversation: whose messages; `nil`: those of all.
    ///   - revision: begin with those that were added after it, as `MessageStream.revision` told it; without one, with
    ///     what is added from now on.
    ///   - history: the one that `revision` is of, as `MessageStream.historyID` told it.
    /// - Throws: `.conversationNotFound`, and what `watch` throws.
    public func newMessages(
        in conversation: ConversationReference? = nil, after revision: UInt64? = nil, of history: HistoryID? = nil
    ) async throws(StoreClientError) -> MessageStream {
        let filter = WatchFilter(kinds: [.message], conversation: conversation)
        return MessageStream(changes: FetchedChanges(self, try await watch(after: revision, of: history, filter)))
    }
}
