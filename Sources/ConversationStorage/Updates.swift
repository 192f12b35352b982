public import StoreClient

extension StorageManager {
    /// Conversations as they change from now on. What changes after this returns will be seen.
    public var conversationUpdated: ConversationUpdates {
        get async throws(StorageError) {
            try await reading { () throws(StoreClientError) in
                let changes = try await client.watch(WatchFilter(kinds: [.conversation, .message]))
                return ConversationUpdates(client: client, changes: changes)
            }
        }
    }

    /// Messages that are added from now on. What is added after this returns will be seen.
    public var messageAdded: AddedMessages {
        get async throws(StorageError) {
            try await reading { () throws(StoreClientError) in
                let changes = try await client.watch(WatchFilter(kinds: [.message]))
                return AddedMessages(client: client, changes: changes)
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

    let client: StoreClient
    let changes: ChangeStream

    /// Goes on where the sequence stands. One task at a time may iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, changes: changes.makeAsyncIterator())
    }

    /// Where an iteration stands.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let client: StoreClient
        var changes: ChangeStream.Iterator

        /// Waits for the next change of a conversation that is still there.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(StorageError) -> Conversation? {
            do throws(StoreClientError) {
                while let change = try await changes.next(isolation: actor) {
                    if let conversation = try await shown(after: change) {
                        return conversation
                    }
                }
                return nil
            } catch {
                throw StorageError(error)
            }
        }

        private func shown(after change: Change) async throws(StoreClientError) -> Conversation? {
            guard let id = change.conversationID, !(change.kind == .conversation && change.operation == .deleted)
            else { return nil }
            do throws(StoreClientError) {
                return try await client.conversation(.id(id))
            } catch  where error.reason == .conversationNotFound {
                // Deleted meanwhile.
                return nil
            }
        }
    }
}

/// Messages that were added to the store, each once, whoever added them: ``StorageManager/messageAdded``. Ends by
/// throwing, as `ChangeStream` does.
public struct AddedMessages: AsyncSequence, Sendable {
    /// The message as it is now.
    public typealias Element = Message
    /// What ends the sequence.
    public typealias Failure = StorageError

    let client: StoreClient
    let changes: ChangeStream

    /// Goes on where the sequence stands. One task at a time may iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, changes: changes.makeAsyncIterator())
    }

    /// Where an iteration stands.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let client: StoreClient
        var changes: ChangeStream.Iterator

        /// Waits for the next message that is still there.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StorageError) -> Message? {
            do throws(StoreClientError) {
                while let change = try await changes.next(isolation: actor) {
                    if change.operation == .created, let message = try await message(change.id) {
                        return message
                    }
                }
                return nil
            } catch {
                throw StorageError(error)
            }
        }

        private func message(_ id: String) async throws(StoreClientError) -> Message? {
            do throws(StoreClientError) {
                return try await client.message(id)
            } catch  where error.reason == .messageNotFound {
                // Deleted meanwhile.
                return nil
            }
        }
    }
}
