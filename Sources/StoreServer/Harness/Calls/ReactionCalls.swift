import StoreBasics
import StoreEngine
import StoreProtocol

enum ReactionCalls {
    static let addReaction = CallRule(.write(.messages), .write) {
        (request: WireAddReactionRequest, _) throws(StoreError) in
        .mutation(
            .addReaction(
                try ReactionReference(request.messageID, emoji: request.emoji, author: request.authorSessionID)))
    }

    static let removeReaction = CallRule(.write(.messages), .write) {
        (request: WireRemoveReactionRequest, _) throws(StoreError) in
        .mutation(
            .removeReaction(
                try ReactionReference(request.messageID, emoji: request.emoji, author: request.authorSessionID)))
    }

    static let listReactions = CallRule(.read(.messages), .read) {
        (request: WireListReactionsRequest, _) throws(StoreError) in
        let id = try EntityID(wire: request.messageID)
        let (limit, cursor) = (try request.limit.asLimit(), request.cursor.ifGiven)
        return .read(isLong: true) { (reader, _) throws(StoreError) in
            .result(
                .reactions(WireListReactionsResponse(try reader.reactions(to: id, limit: limit, cursor: cursor))))
        }
    }
}

extension ReactionReference {
    fileprivate init(_ messageID: String, emoji: String, author: String) throws(StoreError) {
        self.init(
            messageID: try EntityID(wire: messageID), authorSessionID: try SessionID(wire: author),
            emoji: try Emoji(wire: emoji))
    }
}
