import StoreProtocol

extension ReactionCount {
    init(_ wire: WireReactionCount) {
        self.init(emoji: wire.emoji, count: Int(wire.count))
    }
}

extension Reaction {
    init(_ wire: WireReaction) {
        self.init(
            emoji: wire.emoji, authorSessionID: wire.authorSessionID,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds), revision: wire.revision)
    }
}

extension ReactionPage {
    init(_ wire: WireListReactionsResponse) {
        self.init(
            reactions: wire.reactions.map(Reaction.init), nextCursor: wire.nextCursor.isEmpty ? nil : wire.nextCursor)
    }
}
