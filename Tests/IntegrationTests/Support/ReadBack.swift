import StoreClient
import Testing

extension StoreClient {
    /// Every message of a conversation, oldest first; none when there is no such conversation.
    func allMessages(_ sessionID: String) async throws -> [Message] {
        var messages: [Message] = []
        var next: MessageQuery? = MessageQuery(
            conversation: .sessionID(sessionID), limit: 1_000, order: .oldestFirst)
        do {
            while let query = next {
                let page = try await self.messages(query)
                messages += page.messages
                next = query.next(after: page)
            }
        } catch let error as StoreClientError where error.reason == .conversationNotFound {
            return []
        }
        return messages
    }

    /// Every change after a revision. Expects that no revision is missing and none comes twice.
    func gapFreeChanges(after revision: UInt64 = 0) async throws -> [Change] {
        var changes: [Change] = []
        var last = revision
        while true {
            let page = try await self.changes(after: last, limit: 10_000)
            for change in page.changes {
                try #require(change.revision == last + 1, "a gap in the revisions")
                last = change.revision
            }
            changes += page.changes
            if !page.hasMore {
                try #require(page.revision == last, "the last change is not the store's revision")
                return changes
            }
        }
    }

    /// Expects that the check finds nothing.
    func expectClean(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let report = try await checkStore()
        #expect(report.isClean, "\(report.findings)", sourceLocation: sourceLocation)
        #expect(report.rowsChecked > 0, sourceLocation: sourceLocation)
    }
}

/// The reason a call was refused for; `nil` when it was not.
func reason(_ body: () async throws -> Void) async throws -> Reason? {
    do {
        try await body()
        return nil
    } catch let error as StoreClientError {
        return error.reason
    }
}
