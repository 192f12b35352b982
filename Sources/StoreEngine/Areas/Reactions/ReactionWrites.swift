import SQLCipher
import StoreBasics

/// The part of a transaction that adds and removes reactions.
struct ReactionWrites: TransactionWork {
    let transaction: Transaction
    let leftovers: Leftovers

    func addReaction(_ reaction: ReactionReference) throws(StoreError) -> Commit {
        try react(reaction, at: now)
    }

    /// Adds a reaction. Changes nothing if the author has already reacted with this emoji.
    ///
    /// - Parameter time: The time that is stored with the reaction.
    func react(_ reaction: ReactionReference, at time: Timestamp) throws(StoreError) -> Commit {
        let message = try reactedMessage(reaction.messageID)
        var commit = Commit()
        commit.ids = [reaction.messageID.text]
        var counts = message.counts
        guard try !isThere(reaction, message) else { return commit }
        let place = (time, reaction.authorSessionID, reaction.emoji.text)
        let isInOrder =
            if counts.has(reaction.emoji) {
                try hasEarlier(message.sequence, place)
            } else {
                try connection.first(Self.selectLater, message.sequence, place.0, place.1, place.2) == nil
            }
        try counts.add(reaction.emoji)
        try connection.run(
            Self.insertReaction, message.sequence, nextRevision, reaction.authorSessionID, reaction.emoji.text,
            time)
        if !isInOrder {
            counts = try recount(message.sequence)
        }
        try connection.run(Self.setCounts, message.place, counts.bytes)
        commit.createdCount = 1
        record(
            .reaction, .created, id: reaction.messageID.text, parent: message.conversationID.text,
            detail: ChangeDetail(reaction))
        return commit
    }

    func removeReaction(_ reaction: ReactionReference) throws(StoreError) -> Commit {
        let message = try reactedMessage(reaction.messageID)
        var commit = Commit()
        commit.ids = [reaction.messageID.text]
        var counts = message.counts
        guard let time = try time(of: reaction, message) else { return commit }
        try counts.remove(reaction.emoji)
        try connection.run(
            Self.deleteReaction, message.sequence, reaction.authorSessionID, reaction.emoji.text)
        if counts.has(reaction.emoji),
            try !hasEarlier(message.sequence, (time, reaction.authorSessionID, reaction.emoji.text))
        {
            counts = try recount(message.sequence)
        }
        try connection.run(Self.setCounts, message.place, counts.bytes)
        removedContent = true
        commit.deletedCount = 1
        record(
            .reaction, .deleted, id: reaction.messageID.text, parent: message.conversationID.text,
            detail: ChangeDetail(reaction))
        return commit
    }

    /// Leaves the reactions of a deleted message to background maintenance, because there may be thousands.
    func leaveReactionsBehind(_ sequence: Int64) throws(StoreError) {
        try leftovers.leaveBehind(.reactions, sequence...sequence)
    }

    private struct ReactedMessage {
        let place: MessagePlace
        let sequence: Int64
        let conversationID: EntityID
        let counts: ReactionCounts
    }

    /// Returns the part of a message's row that changes of its reactions need.
    ///
    /// - Throws: `.messageNotFound`.
    private func reactedMessage(_ id: EntityID) throws(StoreError) -> ReactedMessage {
        guard let row = try connection.first(Self.selectReacted, id), !clock.isOver(row, 4) else {
            throw .messageNotFound
        }
        return ReactedMessage(
            place: MessagePlace(conversation: row.integer(0), timestamp: row.timestamp(1), id: id),
            sequence: row.integer(2), conversationID: try row.name(5),
            counts: row.isNull(3) ? ReactionCounts() : try ReactionCounts(row.borrowedBytes(3)))
    }

    private func isThere(_ reaction: ReactionReference, _ message: ReactedMessage) throws(StoreError) -> Bool {
        try time(of: reaction, message) != nil
    }

    /// Returns when a reaction was added; `nil` if it does not exist.
    private func time(of reaction: ReactionReference, _ message: ReactedMessage) throws(StoreError) -> Timestamp? {
        let row = try connection.first(
            Self.selectReaction, message.sequence, reaction.authorSessionID, reaction.emoji.text)
        return row?.timestamp(0)
    }

    private typealias ReactionPlace = (time: Timestamp, author: SessionID, emoji: String)

    /// Returns true if the emoji of a reaction also has an earlier reaction to the message. The emoji's position among
    /// the counts then does not depend on the given reaction.
    private func hasEarlier(_ sequence: Int64, _ place: ReactionPlace) throws(StoreError) -> Bool {
        try connection.first(Self.selectEarlier, sequence, place.emoji, place.time, place.author) != nil
    }

    /// Counts the reactions to a message again. Each emoji has the position of its first reaction.
    private func recount(_ sequence: Int64) throws(StoreError) -> ReactionCounts {
        var counts = ReactionCounts()
        let rows = try connection.rows(Self.selectEmoji, sequence)
        while try rows.next() {
            try counts.add(Emoji(trusted: try rows.text(0)))
        }
        return counts
    }

    private static let selectReacted = StatementText(
        MessageRow.selectByID("m.conversation, m.timestamp, m.sequence, m.reactions, m.expires_at"))
    private static let oneReaction = "message_sequence = ?1 AND author = ?2 AND emoji = ?3"
    private static let selectReaction = StatementText("SELECT created_at FROM reactions WHERE \(oneReaction)")
    private static let selectEarlier = StatementText(
        """
        SELECT 1 FROM reactions WHERE message_sequence = ?1 AND emoji = ?2 AND (created_at, author) < (?3, ?4) LIMIT 1
        """)
    private static let selectLater = StatementText(
        """
        SELECT 1 FROM reactions
        WHERE message_sequence = ?1 AND (created_at, author, emoji) > (?2, ?3, ?4) LIMIT 1
        """)
    private static let selectEmoji = StatementText(
        "SELECT emoji FROM reactions WHERE message_sequence = ?1 ORDER BY \(ReactionCursor.order)")
    private static let insertReaction = StatementText("INSERT INTO reactions VALUES (?1, ?2, ?3, ?4, ?5)")
    private static let deleteReaction = StatementText("DELETE FROM reactions WHERE \(oneReaction)")
    private static let setCounts = StatementText(
        "UPDATE OR FAIL \(MessagePlace.table) SET reactions = ?4 WHERE \(MessagePlace.condition)")
}

extension ReactionWrites {
    /// Adds a reaction from another store.
    ///
    /// - Returns: False if the message would have too many reactions.
    func reactIfRoom(_ reaction: ReactionReference, at time: Timestamp) throws(StoreError) -> Bool {
        do throws(StoreError) {
            _ = try react(reaction, at: time)
            return true
        } catch {
            guard error.reason == .tooManyReactions else { throw error }
            return false
        }
    }
}
