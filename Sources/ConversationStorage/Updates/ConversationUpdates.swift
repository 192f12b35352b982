import StoreClient

/// A conversation as it is now, after each change of it or of its messages, whoever made it. Ends by throwing, as
/// `ChangeStream` does.
public struct ConversationUpdates: AsyncSequence, Sendable {
    public typealias Element = Conversation
    public typealias Failure = StorageError

    let client: StoreClient
    let changes: ChangeStream

    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, changes: changes.makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let client: StoreClient
        var changes: ChangeStream.Iterator

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
            else {
                return nil
            }
            do throws(StoreClientError) {
                return Conversation(try await client.conversation(.id(id)))
            } catch  where error.reason == .conversationNotFound {
                // Deleted meanwhile.
                return nil
            }
        }
    }
}
