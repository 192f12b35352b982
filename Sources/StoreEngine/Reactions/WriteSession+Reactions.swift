import SQLCipher
import StoreBasics

extension WriteSession {
    mutating func addReaction(_ reaction: ReactionReference) throws(StoreError) -> Commit {
        try react(reaction, at: now)
    }

    /// - Parameter time: when it was added.
    mutating func react(_ reaction: ReactionReference, at time: Timestamp) throws(StoreError) -> Commit {
        let message = try reactedMessage(reaction.messageID)
        var commit = Commit()
        commit.ids = [reaction.messageID.text]
        var counts = message.counts
        guard try !isThere(reaction, message) else { return commit }
        try counts.add(reaction.emoji)
        try connection.run(
            Self.insertReaction, message.place.sequence, nextRevision, reaction.authorSessionID, reaction.emoji.text,
            time)
        try connection.run(Self.setCounts, message.place, counts.bytes)
        commit.createdCount = 1
        record(
            .reaction, .created, id: reaction.messageID.text, parent: message.conversationID.text,
            detail: ChangeDetail(reaction))
        return commit
    }

    mutating func removeReaction(_ reaction: ReactionReference) throws(StoreError) -> Commit {
        let message = try reactedMessage(reaction.messageID)
        var commit = Commit()
        commit.ids = [reaction.messageID.text]
        var counts = message.counts
        guard try isThere(reaction, message) else { return commit }
        try counts.remove(reaction.emoji)
        try connection.run(
            Self.deleteReaction, message.place.sequence, reaction.authorSessionID, reaction.emoji.text)
        try connection.run(Self.setCounts, message.place, counts.bytes)
        removedContent = true
        commit.deletedCount = 1
        record(
            .reaction, .deleted, id: reaction.messageID.text, parent: message.conversationID.text,
            detail: ChangeDetail(reaction))
        return commit
    }

    /// What a message that goes leaves behind is removed later: it may be thousands.
    mutating func leaveReactionsBehind(_ sequence: Int64) throws(StoreError) {
        try leaveBehind(.reactions, sequence...sequence)
    }

    private struct ReactedMessage {
        let place: MessagePlace
        let conversationID: EntityID
        let counts: ReactionCounts
    }

    /// - Throws: `.messageNotFound`.
    private func reactedMessage(_ id: EntityID) throws(StoreError) -> ReactedMessage {
        guard let row = try connection.first(Self.selectReacted, id), !clock.isOver(row, 4) else {
            throw Self.messageNotFound
        }
        let place = MessagePlace(
            conversation: row.integer(0), timestamp: row.timestamp(1), sequence: row.integer(2))
        return ReactedMessage(
            place: place, conversationID: try row.name(5),
            counts: row.isNull(3) ? ReactionCounts() : try ReactionCounts(row.borrowedBytes(3)))
    }

    private func isThere(_ reaction: ReactionReference, _ message: ReactedMessage) throws(StoreError) -> Bool {
        let row = try connection.first(
            Self.selectReaction, message.place.sequence, reaction.authorSessionID, reaction.emoji.text)
        return row != nil
    }

    private static let selectReacted = StatementText(
        MessageRow.selectByID("m.conversation, m.timestamp, m.sequence, m.reactions, m.expires_at"))
    private static let oneReaction = "message_sequence = ?1 AND author = ?2 AND emoji = ?3"
    private static let selectReaction = StatementText("SELECT 1 FROM reactions WHERE \(oneReaction)")
    private static let insertReaction = StatementText("INSERT INTO reactions VALUES (?1, ?2, ?3, ?4, ?5)")
    private static let deleteReaction = StatementText("DELETE FROM reactions WHERE \(oneReaction)")
    private static let setCounts = StatementText(
        "UPDATE OR FAIL messages SET reactions = ?4 WHERE conversation = ?1 AND timestamp = ?2 AND sequence = ?3")
}
