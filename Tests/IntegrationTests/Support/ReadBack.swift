import StoreClient
import Testing

extension StoreClient {
    /// Every message of a conversation, oldest first; none when there is no such conversation.
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

    /// `nil` when there is no such conversation.
    private func pageIfThere(_ query: MessageQuery) async throws -> MessagePage? {
        do {
            return try await messagePage(query)
        } catch  where error.reason == .conversationNotFound {
            return nil
        }
    }

    /// Every change after a revision. Expects that no revision is missing and none comes twice.
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

    /// Expects that the check finds nothing.
    func expectClean(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let report = try await checkStore()
        #expect(report.isClean, "\(report.findings)", sourceLocation: sourceLocation)
        #expect(report.rowsChecked > 0, sourceLocation: sourceLocation)
    }
}

/// The reason a call was refused for; `nil` when it was not.
func reason(_ body: () async throws -> Void) async throws -> StoreClientError.Reason? {
    do {
        try await body()
        return nil
    } catch let error as StoreClientError {
        return error.reason
    }
}
