import StoreClient

/// Messages that were added to the store, each once, whoever added them. Ends by throwing, as `ChangeStream` does.
public struct AddedMessages: AsyncSequence, Sendable {
    public typealias Element = Message
    public typealias Failure = StorageError

    let client: StoreClient
    let changes: ChangeStream

    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, changes: changes.makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let client: StoreClient
        var changes: ChangeStream.Iterator

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
                return Message(try await client.message(id))
            } catch  where error.reason == .messageNotFound {
                // Deleted meanwhile.
                return nil
            }
        }
    }
}

extension StorageManager {
    /// Conversations as they change from now on. What changes after this returns will be seen.
    public var conversationUpdated: ConversationUpdates {
        get async throws(StorageError) {
            try await storing { () throws(StoreClientError) in
                let changes = try await client.watch(WatchFilter(kinds: [.conversation, .message]))
                return ConversationUpdates(client: client, changes: changes)
            }
        }
    }

    /// Messages that are added from now on. What is added after this returns will be seen.
    public var messageAdded: AddedMessages {
        get async throws(StorageError) {
            try await storing { () throws(StoreClientError) in
                let changes = try await client.watch(WatchFilter(kinds: [.message]))
                return AddedMessages(client: client, changes: changes)
            }
        }
    }
}
