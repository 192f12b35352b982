import StoreProtocol

/// Reactions to messages. A message that is not there is `.messageNotFound`.
extension StoreClient {
    /// Adds someone's reaction to a message. Adding it again changes nothing.
    ///
    /// - Parameters:
    ///   - emoji: exactly one grapheme cluster of 1 to 64 bytes of UTF-8; kept as it is.
    ///   - messageID: the message's.
    ///   - author: the session id of whoever reacts.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.messageNotFound`, `.tooManyReactions` beyond 64 different emoji or 10,000 reactions of a message.
    @discardableResult
    public func addReaction(
        _ emoji: String, to messageID: String, by author: String, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireAddReactionRequest()
        call.messageID = messageID
        call.emoji = emoji
        call.authorSessionID = author
        return try await commit(.addReaction(call), key: idempotencyKey)
    }

    /// Removes someone's reaction to a message. Where there is none, nothing changes and `Commit.deletedCount` is 0.
    ///
    /// - Parameters:
    ///   - emoji: as it was added, byte for byte.
    ///   - messageID: the message's.
    ///   - author: the session id of whoever reacted.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.messageNotFound`.
    @discardableResult
    public func removeReaction(
        _ emoji: String, from messageID: String, by author: String, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireRemoveReactionRequest()
        call.messageID = messageID
        call.emoji = emoji
        call.authorSessionID = author
        return try await commit(.removeReaction(call), key: idempotencyKey)
    }

    /// Returns the reactions to a message by when they were added. The sequence throws `.messageNotFound` if there is
    /// no message. `Message.reactions` has the number of reactions with each emoji.
    ///
    /// - Parameters:
    ///   - messageID: the message's.
    ///   - start: `nextCursor` of a page, to go on behind it; `nil` starts at the top.
    public func reactions(to messageID: String, from start: String? = nil) -> PagedList<ReactionPage> {
        PagedList(from: start) { (limit, cursor) throws(StoreClientError) in
            try await reactionPage(to: messageID, limit: limit, cursor: cursor)
        }
    }

    /// A page of the reactions to a message, by when they were added.
    ///
    /// - Parameters:
    ///   - messageID: the message's.
    ///   - limit: 1 to 1,000.
    ///   - cursor: `nextCursor` of the page before; `nil` starts at the top.
    /// - Throws: `.messageNotFound`.
    public func reactionPage(
        to messageID: String, limit: Int = 100, cursor: String? = nil
    ) async throws(StoreClientError) -> ReactionPage {
        var call = WireListReactionsRequest()
        call.messageID = messageID
        call.limit = UInt32(clamping: limit)
        call.cursor = cursor ?? ""
        let answered = try await answer(to: .listReactions(call), .read) { result in
            if case .reactions(let page) = result { page } else { nil }
        }
        return ReactionPage(answered)
    }
}
