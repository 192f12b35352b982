public import StoreClient

extension StorageManager {
    /// Conversations as they change from now on. What changes after this returns will be seen.
    public var conversationUpdated: ConversationUpdates {
        get async throws(StorageError) {
            try await reading { () throws(StoreClientError) in
                let changes = try await client.watch(WatchFilter(kinds: [.conversation, .message]))
                return ConversationUpdates(changes: FetchedChanges(client, changes))
            }
        }
    }

    /// Messages that are added from now on. What is added after this returns will be seen.
    public var messageAdded: AddedMessages {
        get async throws(StorageError) {
            try await reading { () throws(StoreClientError) in
                AddedMessages(messages: try await client.newMessages())
            }
        }
    }
}

/// A conversation as it is now, after each change of it or of its messages, whoever made it:
/// ``StorageManager/conversationUpdated``. Ends by throwing, as `ChangeStream` does.
public struct ConversationUpdates: AsyncSequence, Sendable {
    /// The conversation after the change.
    public typealias Element = Conversation
    /// What ends the sequence.
    public typealias Failure = StorageError

    let changes: FetchedChanges

    /// Goes on where the sequence stands. One task at a time may iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: changes)
    }

    /// Where an iteration stands.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let changes: FetchedChanges

        /// Waits for the next change of a conversation that is still there.
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
                // Deleted meanwhile.
                guard error.reason == .conversationNotFound else { throw error }
                return nil
            }
        }
    }
}

/// Messages that were added to the store, each once, whoever added them: ``StorageManager/messageAdded``. Ends by
/// throwing, as `MessageStream` does.
public struct AddedMessages: AsyncSequence, Sendable {
    /// The message as it is now.
    public typealias Element = Message
    /// What ends the sequence.
    public typealias Failure = StorageError

    let messages: MessageStream

    /// Goes on where the sequence stands. One task at a time may iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(messages: messages.makeAsyncIterator())
    }

    /// Where an iteration stands.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var messages: MessageStream.Iterator

        /// Waits for the next message that is still there.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StorageError) -> Message? {
            do throws(StoreClientError) {
                return try await messages.next(isolation: actor)
            } catch {
                throw StorageError(error)
            }
        }
    }
}
