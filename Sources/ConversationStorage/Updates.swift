public import StoreClient

extension StorageManager {
    /// A sequence of the conversations that change after this getter has returned.
    public var conversationUpdated: ConversationUpdates {
        get async throws(StorageError) {
            try await reading { () throws(StoreClientError) in
                let changes = try await client.watch(WatchFilter(kinds: [.conversation, .message]))
                return ConversationUpdates(changes: FetchedChanges(client, changes))
            }
        }
    }

    /// A sequence of the messages that are added after this getter has returned.
    public var messageAdded: AddedMessages {
        get async throws(StorageError) {
            try await reading { () throws(StoreClientError) in
                AddedMessages(messages: try await client.newMessages())
            }
        }
    }
}

/// The sequence that ``StorageManager/conversationUpdated`` returns. Its elements are the current states of
/// conversations: one after each change to a conversation or its messages by any program. It ends only by throwing an
/// error; `ChangeStream` lists the reasons.
public struct ConversationUpdates: AsyncSequence, Sendable {
    /// The conversation after the change.
    public typealias Element = Conversation
    /// The error that `next()` throws when the sequence ends.
    public typealias Failure = StorageError

    let changes: FetchedChanges

    /// Returns an iterator that continues at the sequence's current position. One task at a time may iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: changes)
    }

    /// An iterator that delivers the updates after the sequence's current position.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let changes: FetchedChanges

        /// Waits for the next change of a conversation that still exists.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(StorageError) -> Conversation? {
            do throws(StoreClientError) {
                return try await changes.next { (client, change) throws(StoreClientError) in
                    try await Self.shown(after: change, client)
                }
            } catch {
                throw StorageError(error)
            }
        }

        private static func shown(
            after change: Change, _ client: StoreClient
        ) async throws(StoreClientError) -> Conversation? {
            guard let id = change.conversationID, !(change.kind == .conversation && change.operation == .deleted)
            else { return nil }
            do throws(StoreClientError) {
                return try await client.conversation(.id(id))
            } catch {
                // If the conversation was deleted after this change, omit the change.
                guard error.reason == .conversationNotFound else { throw error }
                return nil
            }
        }
    }
}

/// The sequence that ``StorageManager/messageAdded`` returns: the messages that any program adds to the store, each
/// once. It ends only by throwing an error; `ChangeStream` lists the reasons.
public struct AddedMessages: AsyncSequence, Sendable {
    /// The current state of the message.
    public typealias Element = Message
    /// The error that `next()` throws when the sequence ends.
    public typealias Failure = StorageError

    let messages: MessageStream

    /// Returns an iterator that continues at the sequence's current position. One task at a time may iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(messages: messages.makeAsyncIterator())
    }

    /// An iterator that delivers the messages after the sequence's current position.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var messages: MessageStream.Iterator

        /// Waits for the next message that still exists.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StorageError) -> Message? {
            do throws(StoreClientError) {
                return try await messages.next(isolation: actor)
            } catch {
                throw StorageError(error)
            }
        }
    }
}
