public import StoreClient

extension StorageManager {
    /// The conversations that change from now on. Changes after this getter returns are included.
    public var conversationUpdated: ConversationUpdates {
        get async throws(StorageError) {
            try await reading { () throws(StoreClientError) in
                let changes = try await client.watch(WatchFilter(kinds: [.conversation, .message]))
                return ConversationUpdates(changes: FetchedChanges(client, changes))
            }
        }
    }

    /// The messages that are added from now on. Messages added after this getter returns are included.
    public var messageAdded: AddedMessages {
        get async throws(StorageError) {
            try await reading { () throws(StoreClientError) in
                AddedMessages(messages: try await client.newMessages())
            }
        }
    }
}

/// The current state of a conversation after each change to it or its messages by any program:
/// ``StorageManager/conversationUpdated``. It ends with an error, as `ChangeStream` does.
public struct ConversationUpdates: AsyncSequence, Sendable {
    /// The conversation after the change.
    public typealias Element = Conversation
    /// The error with which the sequence ends.
    public typealias Failure = StorageError

    let changes: FetchedChanges

    /// Continues at the sequence's current position. One task at a time may iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: changes)
    }

    /// Delivers the updates from the current position of the sequence on.
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
                // The conversation was deleted in the meantime.
                guard error.reason == .conversationNotFound else { throw error }
                return nil
            }
        }
    }
}

/// The messages that any program adds to the store, each once: ``StorageManager/messageAdded``. It ends with an error,
/// as `MessageStream` does.
public struct AddedMessages: AsyncSequence, Sendable {
    /// The current state of the message.
    public typealias Element = Message
    /// The error with which the sequence ends.
    public typealias Failure = StorageError

    let messages: MessageStream

    /// Continues at the sequence's current position. One task at a time may iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(messages: messages.makeAsyncIterator())
    }

    /// Delivers the updates from the current position of the sequence on.
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
