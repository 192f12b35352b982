import StoreClient
import Testing

extension StoreClient {
    /// Returns all messages of a conversation, oldest first, or none if the conversation does not exist.
    func allMessages(_ sessionID: String) async throws -> [Message] {
        var messages: [Message] = []
        var next: MessageQuery? = MessageQuery(
            conversation: .sessionID(sessionID), limit: 1_000, order: .oldestFirst)
        while let query = next {
            guard let page = try await pageIfThere(query) else { break }
            messages += page.messages
            next = query.next(after: page)
        }
        return messages
    }

    private func pageIfThere(_ query: MessageQuery) async throws -> MessagePage? {
        do {
            return try await messagePage(query)
        } catch  where error.reason == .conversationNotFound {
            return nil
        }
    }

    /// Returns every change after a revision. Expects that no revision is missing or occurs twice.
    func gapFreeChanges(after revision: UInt64 = 0) async throws -> [Change] {
        var changes: [Change] = []
        var page: ChangePage
        repeat {
            page = try await self.changePage(after: revision + UInt64(changes.count), limit: 10_000)
            changes += page.changes
        } while page.hasMore
        let gap = changes.indices.first { changes[$0].revision != revision + UInt64($0) + 1 }
        #expect(gap == nil, "a revision is missing or comes twice")
        #expect(page.revision == revision + UInt64(changes.count), "the last change is not the store's revision")
        return changes
    }

    /// Expects that the check of the store finds nothing.
    func expectClean(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let report = try await checkStore()
        #expect(report.isClean, "\(report.findings)", sourceLocation: sourceLocation)
        #expect(report.rowsChecked > 0, sourceLocation: sourceLocation)
    }
}

/// Returns the reason of the error that the body throws, or `nil` if it throws none.
func reason(_ body: () async throws -> Void) async throws -> StoreClientError.Reason? {
    do {
        try await body()
        return nil
    } catch let error as StoreClientError {
        return error.reason
    }
}
